// SPDX-License-Identifier: MIT
// Spaces that wait for each other end with a line, and only these: spaces of one thread, and of
// several.
#include "spmc/deadlocks.hpp"

#include "pages.hpp"
#include "support/job.hpp"

#include <condition_variable>
#include <gtest/gtest.h>
#include <mutex>
#include <thread>

namespace saguaro::spmc_test {

namespace {

// ---- One thread each ----

// `count` spaces of which each reads a page that the next one never fixes, being at the same.
template <unsigned count>
outcome waits_in_a_ring() {
    return run_job([] {
        shared = region_of(count);
        const auto reads = [](void *) {
            const auto me = static_cast<std::size_t>(spmc_space_self() - 1);
            on_page(shared, me) = 1;
            return static_cast<int>(on_page(shared, (me + 1) % count));
        };
        for (unsigned i = 0; i < count; ++i)
            begin(reads);
        for (unsigned i = 0; i < count; ++i) {
            const spmc_space reader = (i + count - 1) % count + 1;
            MUST(spmc_copy_consumer(reader, page_at(shared, i), page_at(shared, i), page));
            MUST(spmc_transfer_ownership(i + 1, page_at(shared, i), page_at(shared, i), page));
        }
        for (unsigned i = 1; i <= count; ++i)
            if (end_of(i) != 2)
                return 1;
        return 0;
    });
}

// One says that it is a deadlock. The others do so too, or that it has ended.
TEST(spmc_deadlock, two_wait_for_each_other) {
    const outcome seen = waits_in_a_ring<2>();
    EXPECT_TRUE(seen.exited_with(0)) << seen.status << seen.err;
    EXPECT_EQ(lines_in(seen.err), 2U) << seen.err;
    EXPECT_TRUE(has(seen.err, "0.1: waits for the page at 0x200000001000: deadlock, each of these "
                              "waits for the next: 0.1 -> 0.2 -> 0.1\n") ||
                has(seen.err, "0.2: waits for the page at 0x200000000000: deadlock, each of these "
                              "waits for the next: 0.2 -> 0.1 -> 0.2\n"))
        << seen.err;
}

TEST(spmc_deadlock, three_wait_in_a_ring) {
    const outcome seen = waits_in_a_ring<3>();
    EXPECT_TRUE(seen.exited_with(0)) << seen.status << seen.err;
    EXPECT_EQ(lines_in(seen.err), 3U) << seen.err;
    EXPECT_TRUE(has(seen.err, "0.1 -> 0.2 -> 0.3 -> 0.1\n") ||
                has(seen.err, "0.2 -> 0.3 -> 0.1 -> 0.2\n") ||
                has(seen.err, "0.3 -> 0.1 -> 0.2 -> 0.3\n"))
        << seen.err;
}

TEST(spmc_deadlock, many_wait_in_a_ring) {
    const outcome seen = waits_in_a_ring<70>();
    EXPECT_TRUE(seen.exited_with(0)) << seen.status << seen.err;
    EXPECT_TRUE(has(seen.err, "deadlock, each of these waits for the next: ")) << seen.err;
    EXPECT_FALSE(has(seen.err, "every space")) << seen.err;
}

TEST(spmc_deadlock, all_wait_and_no_two_for_each_other) {
    const outcome seen = run_job([] {
        shared = region_of(1);
        const spmc_space other = begin([](void *) { return static_cast<int>(shared[0]); });
        show_all(other, shared, 1);
        return static_cast<int>(on_page(wished(0), 0));
    });
    EXPECT_TRUE(seen.exited_with(2)) << seen.status << seen.err;
    EXPECT_TRUE(has(seen.err, "deadlock, every space of the job waits\n") ||
                has(seen.err, "deadlock, each of these"))
        << seen.err;
}

TEST(spmc_deadlock, a_child_waits_for_its_parent_to_end) {
    const outcome seen = run_job([] { return end_of(begin([](void *) { return end_of(0); })); });
    EXPECT_TRUE(has(seen.err, "0.1: waits for the end of space 0: deadlock, each of these waits "
                              "for the next: 0.1 -> 0 -> 0.1\n") ||
                has(seen.err, "0: waits for the end of space 0.1: deadlock, each of these waits "
                              "for the next: 0 -> 0.1 -> 0\n"))
        << seen.err;
    EXPECT_TRUE(seen.exited_with(2)) << seen.status;
}

// ---- Several threads ----

// Waits for page 0, and then fixes the own one.
int waits_for_the_first(void *) {
    const auto mine = static_cast<std::size_t>(spmc_space_self() - 1);
    on_page(shared, mine) = on_page(shared, 0) + 1;
    fix(shared, mine);
    return 0;
}

// Space 0.1 produces page 0 when its threads have others' pages; 0.2 and 0.3 produce pages 1 and 2.
void begin_three(int (*first)(void *), int (*third)(void *)) {
    shared = region_of(3);
    begin(first);
    begin(waits_for_the_first);
    begin(third);
    for (std::size_t i = 0; i < 3; ++i) {
        void *const at = page_at(shared, i);
        for (spmc_space each = 1; each <= 3; ++each)
            if (each != i + 1)
                MUST(spmc_copy_consumer(each, at, at, page));
        MUST(spmc_transfer_ownership(i + 1, at, at, page));
    }
}

TEST(spmc_deadlock, two_threads_of_a_space_wait_for_two_others) {
    const outcome seen = run_job([] {
        begin_three(
            [](void *) {
                std::thread other([] { on_page(shared, 0) = on_page(shared, 2); });
                on_page(shared, 0) = on_page(shared, 1);
                other.join();
                fix(shared, 0);
                return 0;
            },
            waits_for_the_first);
        for (spmc_space each = 1; each <= 3; ++each)
            if (end_of(each) != 2)
                return 1;
        return 0;
    });
    EXPECT_TRUE(seen.exited_with(0)) << seen.status << seen.err;
    EXPECT_EQ(lines_in(seen.err), 3U) << seen.err;
    bool is_named = false;
    for (const char *path :
         {"0.1 -> 0.2 -> 0.1", "0.2 -> 0.1 -> 0.2", "0.1 -> 0.3 -> 0.1", "0.3 -> 0.1 -> 0.3"})
        is_named |= has(seen.err,
                        std::string("deadlock, each of these waits for the next: ") + path + "\n");
    EXPECT_TRUE(is_named) << seen.err;
}

// Two of three members of what looks like a circle wait for a third, which waits with one thread
// and takes its time with another: as `idle` says.
outcome waits_beside(void (*idle)()) {
    static void (*takes_its_time)();
    takes_its_time = idle;
    return run_job([] {
        begin_three(
            [](void *) {
                std::int64_t seen = 0;
                std::thread waits([&] { seen = on_page(shared, 1); });
                takes_its_time();
                on_page(shared, 0) = 3;
                fix(shared, 0);
                waits.join();
                return static_cast<int>(seen);
            },
            waits_for_the_first);
        return end_of(1);
    });
}

TEST(spmc_patience, a_thread_beside_one_that_waits_computes) {
    const outcome seen = waits_beside([] {
        const auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds(600);
        while (std::chrono::steady_clock::now() < until) {
        }
    });
    EXPECT_TRUE(seen.exited_with(4)) << seen.status << seen.err;
    EXPECT_EQ(seen.err, "");
}

TEST(spmc_patience, a_thread_beside_one_that_waits_sleeps_elsewhere) {
    const outcome seen = waits_beside([] {
        std::mutex lock;
        std::condition_variable never;
        std::unique_lock guard(lock);
        never.wait_for(guard, std::chrono::milliseconds(600));
    });
    EXPECT_TRUE(seen.exited_with(4)) << seen.status << seen.err;
    EXPECT_EQ(seen.err, "");
}

// Threads that come and go beside the one that waits: some of them have waited in the library.
TEST(spmc_patience, threads_begin_others_beside_one_that_waits) {
    const outcome seen = waits_beside([] {
        for (int i = 0; i < 8; ++i)
            std::thread([] { std::thread([] { usleep(80'000); }).join(); }).join();
    });
    EXPECT_TRUE(seen.exited_with(4)) << seen.status << seen.err;
    EXPECT_EQ(seen.err, "");
}

// A thread of the child waits for the root, which waits for another thread of the child.
int two_threads_one_waits() {
    shared = region_of(2);
    const spmc_space other = begin([](void *) {
        std::int64_t seen = 0;
        std::thread waits([&] { seen = on_page(shared, 0); });
        usleep(500'000);
        on_page(shared, 1) = 4;
        fix(shared, 1);
        waits.join();
        return static_cast<int>(seen);
    });
    MUST(spmc_copy_consumer(other, page_at(shared, 0), page_at(shared, 0), page));
    MUST(spmc_transfer_ownership(other, page_at(shared, 1), page_at(shared, 1), page));
    shared[0] = on_page(shared, 1) + 1;
    fix(shared, 0);
    return end_of(other);
}

TEST(spmc_patience, another_thread_of_a_space_that_waits_may_do_it) {
    const outcome seen = run_job(two_threads_one_waits);
    EXPECT_TRUE(seen.exited_with(5)) << seen.status << seen.err;
    EXPECT_EQ(seen.err, "");
}

} // namespace

} // namespace saguaro::spmc_test
