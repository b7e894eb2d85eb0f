// SPDX-License-Identifier: MIT
// Several threads of one space use regions at once: their faults, and what is given to them.
#include "pages.hpp"
#include "support/job.hpp"

#include <atomic>
#include <functional>
#include <gtest/gtest.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <thread>
#include <vector>

namespace saguaro::spmc_test {

// Whether this thread takes its time before and after it changes what may be done with pages.
constinit static thread_local bool is_slow = false;

// What this thread does before it takes a mutex for the n-th time from now on.
static thread_local unsigned locks_left = 0;
static thread_local std::function<void()> before_the_last;

} // namespace saguaro::spmc_test

// The linker puts this in front of the C library's (--wrap).
extern "C" int __real_pthread_mutex_lock(pthread_mutex_t *mutex);
extern "C" int __wrap_pthread_mutex_lock(pthread_mutex_t *mutex);
int __wrap_pthread_mutex_lock(pthread_mutex_t *mutex) {
    using namespace saguaro::spmc_test;
    if (locks_left > 0 && --locks_left == 0)
        before_the_last();
    return __real_pthread_mutex_lock(mutex);
}

// Instead of the C library's, for the whole program.
extern "C" int mprotect(void *address, size_t bytes, int protection) noexcept {
    if (saguaro::spmc_test::is_slow)
        usleep(30'000);
    const long refused = syscall(SYS_mprotect, address, bytes, protection);
    if (saguaro::spmc_test::is_slow)
        usleep(30'000);
    return static_cast<int>(refused);
}

namespace saguaro::spmc_test {

namespace {

constexpr std::size_t pages = 200;
constexpr unsigned threads = 4;

// Runs work(number) by each of several threads; the sum of what it returns.
template <class Work>
int on_threads(Work work) {
    std::atomic<int> sum{0};
    std::vector<std::thread> all;
    for (unsigned t = 0; t < threads; ++t)
        all.emplace_back([&, t] { sum += work(t); });
    for (std::thread &each : all)
        each.join();
    return sum;
}

// Each thread reads all pages in the same order, as they are given, one by one, and fixed.
int read_together(void *) {
    return on_threads([](unsigned) {
        for (std::size_t i = 0; i < pages; ++i)
            if (on_page(shared, i) != static_cast<std::int64_t>(i))
                return 1;
        return 0;
    });
}

int gives_page_by_page() {
    shared = region_of(pages);
    const spmc_space other = begin(read_together);
    for (std::size_t i = 0; i < pages; ++i) {
        MUST(spmc_copy_consumer(other, page_at(shared, i), page_at(shared, i), page));
        on_page(shared, i) = static_cast<std::int64_t>(i);
        if (i % 16 == 0)
            usleep(1000);
        fix(shared, i);
    }
    return end_of(other);
}

TEST(spmc_threads, wait_for_the_same_pages) {
    for (int i = 0; i < 10; ++i) {
        const outcome seen = run_job(gives_page_by_page);
        ASSERT_TRUE(seen.exited_with(0)) << seen.status << seen.err;
        ASSERT_EQ(seen.err, "");
    }
}

// ---- Ends ----

// Waits with all threads for a page that its producer never fixes.
int read_in_vain(void *) {
    return on_threads([](unsigned) { return static_cast<int>(shared[0]); });
}

TEST(spmc_threads, end_their_space_with_one_line) {
    const outcome seen = run_job([] {
        shared = region_of(1);
        const spmc_space producer = begin([](void *) {
            usleep(50'000);
            return 0;
        });
        constexpr unsigned readers = 20;
        for (unsigned i = 0; i < readers; ++i)
            show_all(begin(read_in_vain), shared, 1);
        give_all(producer, shared, 1);
        for (unsigned i = 0; i < readers; ++i)
            if (end_of(producer + 1 + i) != 2)
                return 1;
        return 0;
    });
    EXPECT_TRUE(seen.exited_with(0)) << seen.status;
    EXPECT_EQ(lines_in(seen.err), 20U) << seen.err;
}

// ---- Races, forced by a thread that is slow where it changes a protection ----

// What a thread has opened is closed for a moment when another thread gives the region away. The
// access that is made again is no write.
int reads_while_the_region_is_given_away(void *) {
    std::thread reads([] {
        for (int i = 0; i < 60; ++i, usleep(1000))
            if (shared[0] != 7)
                std::_Exit(3);
    });
    usleep(5'000);
    is_slow = true;
    give_all(spmc_space_parent(), wished(0), 2);
    reads.join();
    return 0;
}

int gives_a_fixed_page() {
    shared = region_of(2);
    const spmc_space other = begin([](void *) {
        shared = wished(0);
        return reads_while_the_region_is_given_away(nullptr);
    });
    shared[0] = 7;
    fix(shared, 0);
    MUST(spmc_transfer_ownership(other, page_at(shared, 0), page_at(wished(0), 0), 2 * page));
    return end_of(other);
}

TEST(spmc_threads, read_what_another_gives_away) {
    const outcome seen = run_job(gives_a_fixed_page);
    EXPECT_TRUE(seen.exited_with(0)) << seen.status << seen.err;
    EXPECT_EQ(seen.err, "");
}

// A fault opens fixed pages around the one that was touched. Meanwhile another thread puts a page
// that is not fixed so far in place of one of these.
int reads_beside_a_new_page(void *) {
    std::thread reads([] {
        is_slow = true;
        if (shared[0] != 1)
            std::_Exit(3);
    });
    usleep(10'000);
    MUST(spmc_extend(page_at(wished(0), 0), page_at(shared, 2), page));
    reads.join();
    return static_cast<int>(on_page(shared, 2));
}

int fixes_the_new_page_late() {
    shared = region_of(4);
    MUST(spmc_alloc(page_at(wished(0), 0), page) == nullptr);
    const spmc_space other = begin(reads_beside_a_new_page);
    for (std::size_t i = 0; i < 4; ++i)
        on_page(shared, i) = 1;
    fix(shared, 0, 4);
    show_all(other, shared, 4);
    show_all(other, wished(0), 1);
    word *const fresh = wished(1);
    extend(wished(0), 0, fresh, 1);
    usleep(200'000);
    fresh[0] = 5;
    fix(fresh, 0);
    return end_of(other);
}

TEST(spmc_threads, open_no_page_that_another_has_replaced) {
    const outcome seen = run_job(fixes_the_new_page_late);
    EXPECT_TRUE(seen.exited_with(5)) << seen.status << seen.err;
    EXPECT_EQ(seen.err, "");
}

// The same where a producer's thread opens its pages to write, and another fixes one.
int writes_to_what_another_fixed(void *) {
    std::thread writes([] {
        is_slow = true;
        shared[0] = 1;
    });
    usleep(10'000);
    fix(shared, 2);
    writes.join();
    on_page(shared, 2) = 1;
    return 0;
}

int gives_pages_to_fix() {
    shared = region_of(4);
    const spmc_space other = begin(writes_to_what_another_fixed);
    give_all(other, shared, 4);
    return end_of(other);
}

TEST(spmc_threads, open_no_page_that_another_has_fixed) {
    const outcome seen = run_job(gives_pages_to_fix);
    EXPECT_TRUE(seen.exited_with(2)) << seen.status << seen.err;
    EXPECT_EQ(seen.err,
              "saguaro: spmc: space 0.1: a write to a fixed page: 0x200000002000, page 2 of the 4 "
              "at 0x200000000000, of which it is the producer\n");
}

// ---- Races, forced between two looks at the list of pieces ----

// Calls act() on this thread, and between the moment where the library finds the pages and that
// where it changes what may be done with them, change() on another.
template <class Act>
void while_another_changes(Act act, const std::function<void()> &change) {
    before_the_last = [&] { std::thread(change).join(); };
    locks_left = 2;
    act();
    if (locks_left != 0)
        std::_Exit(4);
}

outcome extends_while_another(const std::function<void()> &change) {
    return run_job([=] {
        shared = region_of(4);
        while_another_changes([] { extend(shared, 2, wished(0), 1); }, change);
        wished(0)[0] = 1;
        return 7;
    });
}

TEST(spmc_threads, extend_no_page_that_another_has_given_up) {
    const outcome seen = extends_while_another([] {
        MUST(spmc_free(page_at(shared, 2), page));
        MUST(spmc_alloc(page_at(shared, 2), page) == nullptr);
    });
    EXPECT_TRUE(seen.exited_with(2)) << seen.status << seen.err;
    EXPECT_EQ(seen.err, "saguaro: spmc: space 0: an extension of a page that another thread has "
                        "replaced meanwhile: 0x200000002000, page 2 of the 4 at 0x200000000000, of "
                        "which it is the producer\n");
}

TEST(spmc_threads, extend_a_page_beside_others_that_are_given_up) {
    const outcome seen =
        extends_while_another([] { MUST(spmc_free(page_at(shared, 0), 2 * page)); });
    EXPECT_TRUE(seen.exited_with(7)) << seen.status << seen.err;
}

TEST(spmc_threads, fix_a_page_beside_others_that_are_given_up) {
    const outcome seen = run_job([] {
        shared = region_of(4);
        on_page(shared, 2) = 5;
        while_another_changes([] { fix(shared, 2); },
                              [] { MUST(spmc_free(page_at(shared, 0), 2 * page)); });
        return static_cast<int>(on_page(shared, 2));
    });
    EXPECT_TRUE(seen.exited_with(5)) << seen.status << seen.err;
}

} // namespace

} // namespace saguaro::spmc_test
