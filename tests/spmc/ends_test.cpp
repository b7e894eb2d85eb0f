// SPDX-License-Identifier: MIT
// A wait that can never be over ends the space with one line, which names the page, the space that
// does not come, and why. A wait that is merely long goes on.
#include "spmc/ends.hpp"

#include "pages.hpp"
#include "spmc/tables.hpp"
#include "support/job.hpp"

#include <csignal>
#include <gtest/gtest.h>
#include <random>
#include <sys/mman.h>
#include <thread>

namespace saguaro::spmc_test {

namespace {

word *other_region = nullptr;

// ---- A producer that ends ----

// The root reads a page of a space that runs the function; also two others read it.
outcome wait_for_what(int (*producer)(void *)) {
    return run_job([=] {
        shared = region_of(4);
        const spmc_space other = begin(producer);
        const auto reads = [](void *) { return static_cast<int>(on_page(shared, 2)); };
        const spmc_space readers[] = {begin(reads), begin(reads)};
        for (const spmc_space each : readers)
            show_all(each, shared, 4);
        give_all(other, shared, 4);
        for (const spmc_space each : readers)
            if (end_of(each) != 2)
                return 1;
        return static_cast<int>(on_page(shared, 2));
    });
}

constexpr const char *given_up = "has given it up without fixing it";

// Each of three has its line. A producer that takes its time to end has given the page up before.
void expect_ends(const outcome &seen, const std::string &cause) {
    EXPECT_TRUE(seen.exited_with(2)) << seen.status << seen.err;
    for (const char *who : {"0", "0.2", "0.3"}) {
        const std::string line = std::string("saguaro: spmc: space ") + who +
                                 ": waits for the page at 0x200000002000, but space 0.1 ";
        const bool may_be_slow = has(cause, "exit code");
        EXPECT_TRUE(has(seen.err, line + cause + "\n") ||
                    (may_be_slow && has(seen.err, line + given_up + "\n")))
            << who << ' ' << seen.err;
    }
}

TEST(spmc_ends, a_producer_returns_without_a_fix) {
    const outcome seen = wait_for_what([](void *) {
        on_page(shared, 2) = 1;
        return 0;
    });
    expect_ends(seen, "has ended: exit code 0");
    EXPECT_EQ(lines_in(seen.err), 3U) << seen.err;
}

TEST(spmc_ends, a_producer_fails) {
    const outcome seen = wait_for_what([](void *) -> int {
        on_page(shared, 2) = 1;
        usleep(20'000);
        std::exit(3);
    });
    expect_ends(seen, "has ended: exit code 3");
    EXPECT_EQ(lines_in(seen.err), 3U) << seen.err;
}

TEST(spmc_ends, a_producer_is_killed) {
    const outcome seen = wait_for_what([](void *) {
        on_page(shared, 2) = 1;
        return kill(getpid(), SIGKILL);
    });
    expect_ends(seen, "has ended: signal 9 (Killed)");
    EXPECT_EQ(lines_in(seen.err), 3U) << seen.err;
}

// Nobody is left who would see the end of a space whose parent was killed.
TEST(spmc_ends, a_producer_goes_with_its_parent) {
#ifdef SG_TEST_EMULATED
    GTEST_SKIP() << "a child of qemu begins no threads, so a space no spaces";
#endif
    const outcome seen = run_job([] {
        shared = region_of(1);
        const spmc_space other = begin([](void *) {
            give_all(begin([](void *) { return static_cast<int>(sleep(20)); }), shared, 1);
            usleep(100'000);
            return kill(getpid(), SIGKILL);
        });
        give_all(other, shared, 1);
        return static_cast<int>(on_page(shared, 0));
    });
    EXPECT_TRUE(seen.exited_with(2)) << seen.status;
    EXPECT_TRUE(has(seen.err, "has ended: with space 0.1, its ancestor")) << seen.err;
}

TEST(spmc_ends, a_producer_that_never_needed_its_pages_is_killed) {
    expect_ends(wait_for_what([](void *) { return kill(getpid(), SIGKILL); }),
                "has ended: signal 9 (Killed)");
}

TEST(spmc_ends, a_producer_breaks_a_rule) {
    const outcome seen = wait_for_what([](void *) {
        fix(shared, 0);
        fix(shared, 0);
        return 0;
    });
    expect_ends(seen, "has ended: it broke a rule, which it has named");
    EXPECT_TRUE(has(seen.err, "space 0.1: a fix of a fixed page: 0x200000000000")) << seen.err;
    EXPECT_EQ(lines_in(seen.err), 4U) << seen.err;
}

// Its own line says why it ends, and others need not look for a mistake of its.
TEST(spmc_ends, a_producer_that_waits_in_vain_itself_broke_no_rule) {
    const outcome seen = run_job([] {
        shared = region_of(2);
        const spmc_space first = begin([](void *) { return 0; });
        const spmc_space second = begin([](void *) { return static_cast<int>(shared[0]); });
        show_all(second, shared, 1);
        MUST(spmc_transfer_ownership(first, page_at(shared, 0), page_at(shared, 0), page));
        MUST(spmc_transfer_ownership(second, page_at(shared, 1), page_at(shared, 1), page));
        return static_cast<int>(on_page(shared, 1));
    });
    EXPECT_TRUE(seen.exited_with(2)) << seen.status << seen.err;
    EXPECT_TRUE(has(seen.err, "saguaro: spmc: space 0: waits for the page at 0x200000001000, but "
                              "space 0.2 has ended: exit code 2\n"))
        << seen.err;
    EXPECT_EQ(lines_in(seen.err), 2U) << seen.err;
}

TEST(spmc_ends, a_producer_gives_the_page_up) {
    const outcome seen = wait_for_what([](void *) {
        MUST(spmc_free(page_at(shared, 0), 4 * page));
        sleep(20);
        return 0;
    });
    expect_ends(seen, given_up);
}

TEST(spmc_ends, a_producer_gives_a_part_up_and_keeps_the_rest) {
    const outcome seen = wait_for_what([](void *) {
        MUST(spmc_free(page_at(shared, 2), page)); // the page that is waited for
        on_page(shared, 0) = 1;
        sleep(20);
        return 0;
    });
    expect_ends(seen, given_up);
}

// The root returns, and waits for its child, which waits for a page that nobody will fix any more.
// It has a second thread, which counts as one that runs, so that the two are no deadlock.
TEST(spmc_ends, a_parent_that_returns_fixes_no_more) {
#ifdef SG_TEST_EMULATED
    GTEST_SKIP() << "a child of qemu begins no threads";
#endif
    const outcome seen = run_job([] {
        std::thread([] { pause(); }).detach();
        shared = region_of(1);
        const spmc_space other = begin([](void *) { return static_cast<int>(on_page(shared, 0)); });
        show_all(other, shared, 1);
        return 0;
    });
    EXPECT_TRUE(seen.exited_with(0)) << seen.status;
    EXPECT_TRUE(has(seen.err, given_up)) << seen.err;
}

TEST(spmc_ends, a_producer_leaves_the_page_behind_at_an_extension) {
    const outcome seen = wait_for_what([](void *) {
        extend(shared, 3, shared, 4);
        sleep(20);
        return 0;
    });
    expect_ends(seen, given_up);
}

TEST(spmc_ends, what_an_ended_producer_fixed_stays) {
    const outcome seen = run_job([] {
        shared = region_of(4);
        const spmc_space other = begin([](void *) {
            on_page(shared, 1) = 5;
            fix(shared, 1);
            return kill(getpid(), SIGKILL);
        });
        give_all(other, shared, 4);
        if (end_of(other) != 100 + SIGKILL)
            return 1;
        return static_cast<int>(on_page(shared, 1));
    });
    EXPECT_TRUE(seen.exited_with(5)) << seen.err;
    EXPECT_EQ(seen.err, "");
}

// The page goes through three hands, of which each ends right away but the last.
int passes_it_on(void *) {
    static int hands = 0;
    if (++hands == 3) {
        usleep(300'000);
        fix(shared, 0);
        return 0;
    }
    const spmc_space next = begin(passes_it_on);
    give_all(next, shared, 1);
    return 0;
}

int reads_what_is_passed_on() {
    for (int i = 0; i < 3; ++i) {
        shared = region_of(1);
        const spmc_space first = begin(passes_it_on);
        give_all(first, shared, 1);
        if (shared[0] != 0 || end_of(first) != 0)
            return 1;
    }
    return 0;
}

TEST(spmc_ends, a_page_that_was_passed_on_is_waited_for) {
#ifdef SG_TEST_EMULATED
    GTEST_SKIP() << "a child of qemu begins no threads, so a space no spaces";
#endif
    const outcome seen = run_job(reads_what_is_passed_on);
    EXPECT_TRUE(seen.exited_with(0)) << seen.err;
}

// ---- The last act of a producer, between two looks of a space that waits ----

// Two spaces that have no process. What the job knows of the first one lies on a page of its own,
// and nobody can read it before a look at it has brought the transfer and the end.
constexpr spmc::slot former = 100;
constexpr spmc::slot heir = 200;
spmc::table *passed_on = nullptr;

void *page_of_the_former() {
    return reinterpret_cast<void *>(
        reinterpret_cast<std::uintptr_t>(&spmc::job::mine().space_in(former)) / page * page);
}

void transfer_and_end(int) {
    mprotect(page_of_the_former(), page, PROT_READ | PROT_WRITE);
    passed_on->owner.store(heir, std::memory_order_relaxed);
    spmc::job::mine().space_in(former).state.store(spmc::life::ended, std::memory_order_release);
}

int looks_while_a_producer_passes_the_page_on() {
    std::signal(SIGSEGV, transfer_and_end);
    spmc::job &all = spmc::job::mine();
    passed_on = spmc::new_table(all, 1);
    passed_on->owner.store(former);
    for (const spmc::slot each : {former, heir})
        all.space_in(each).state.store(spmc::life::lives);
    spmc::entry &e = all.entry_of(*passed_on, 0);
    const spmc::awaited what{spmc::wait_kind::page, e.state, former, 0, passed_on, 0};
    bool was_given_up = false;
    mprotect(page_of_the_former(), page, PROT_NONE);
    if (spmc::may_be_in_vain(what, was_given_up))
        return 1;
    return spmc::ended_with(all, former) == former ? 0 : 2;
}

TEST(spmc_ends, a_producer_passes_the_page_on_and_ends_between_two_looks) {
    const outcome seen = run_job(looks_while_a_producer_passes_the_page_on);
    EXPECT_TRUE(seen.exited_with(0)) << seen.status << seen.err;
}

TEST(spmc_ends, whoever_asks_no_status_ends_with_a_failed_space) {
    const outcome seen = run_job([] {
        MUST(spmc_space_wait(begin([](void *) { return 0; }), nullptr));
        MUST(spmc_space_wait(begin([](void *) { return 3; }), nullptr));
        return 0;
    });
    EXPECT_TRUE(seen.exited_with(2));
    EXPECT_EQ(seen.err,
              "saguaro: spmc: space 0: waits for space 0.2, which has failed: exit code 3\n");
}

TEST(spmc_ends, a_failure_that_nobody_waited_for_is_said) {
    const outcome seen = run_job([] {
        begin([](void *) {
            usleep(50'000);
            return 3;
        });
        return 0;
    });
    EXPECT_TRUE(seen.exited_with(0));
    EXPECT_EQ(seen.err,
              "saguaro: spmc: space 0: ends after space 0.1, which failed: exit code 3\n");
}

#ifndef SG_TEST_EMULATED // qemu's own threads look like those of the space

// ---- Nobody is left ----

TEST(spmc_ends, nobody_is_left_to_give_pages) {
    const outcome seen = run_job([] {
        MUST(spmc_space_wait(begin([](void *) { return 0; }), nullptr));
        return static_cast<int>(on_page(wished(0), 0));
    });
    EXPECT_TRUE(seen.exited_with(2));
    EXPECT_EQ(seen.err, "saguaro: spmc: space 0: waits for pages at 0x300000000000, which nobody "
                        "has given it, and no other space is left\n");
}

TEST(spmc_ends, nobody_is_left_to_begin_a_space) {
    const outcome seen = run_job([] {
        shared = region_of(1);
        MUST(spmc_space_wait(begin([](void *) { return 0; }), nullptr));
        show_all(2, shared, 1);
        return 0;
    });
    EXPECT_TRUE(seen.exited_with(2));
    EXPECT_EQ(seen.err, "saguaro: spmc: space 0: waits for space 2 to begin, and no other space is "
                        "left\n");
}

// Another thread begins the space that gives them.
TEST(spmc_ends, a_thread_that_is_left_may_begin_somebody) {
    const outcome seen = run_job([] {
        spmc_space_self(); // the job begins before its threads wait
        std::int64_t got = 0;
        std::thread waits([&] { got = on_page(wished(0), 0); });
        usleep(300'000);
        begin([](void *) {
            MUST(spmc_alloc(page_at(wished(0), 0), page) == nullptr);
            MUST(spmc_copy_consumer(0, page_at(wished(0), 0), page_at(wished(0), 0), page));
            wished(0)[0] = 6;
            fix(wished(0), 0);
            return 0;
        });
        waits.join();
        return static_cast<int>(got);
    });
    EXPECT_TRUE(seen.exited_with(6)) << seen.status << seen.err;
}

#endif

TEST(spmc_ends, a_space_that_begins_late_is_waited_for) {
    const outcome seen = run_job([] {
        shared = region_of(1);
        const spmc_space first = begin([](void *) {
            show_all(2, shared, 1);
            return end_of(2);
        });
        give_all(first, shared, 1);
        usleep(100'000);
        begin([](void *) { return 7; });
        return end_of(first);
    });
    EXPECT_TRUE(seen.exited_with(7)) << seen.status;
    EXPECT_FALSE(has(seen.err, "waits for")) << seen.err;
}

// ---- Waits that are merely long ----

constexpr std::size_t members = 8;
constexpr std::size_t steps = 30;
word *pids = nullptr;

std::size_t cell(std::size_t member, std::size_t step) {
    return member * steps + step;
}

// Waits for the neighbour's page at each step, and takes its time with its own.
int steps_with_neighbours(void *) {
    const auto me = static_cast<std::size_t>(spmc_space_self() - 1);
    on_page(pids, me) = getpid();
    fix(pids, me);
    std::mt19937 random(static_cast<unsigned>(me));
    std::int64_t sum = static_cast<std::int64_t>(me);
    for (std::size_t step = 0; step < steps; ++step) {
        if (random() % 16 == 0)
            usleep(static_cast<unsigned>(
                200'000 + random() % 50'000)); // longer than it takes to look for a deadlock
        else
            usleep(static_cast<unsigned>(random() % 2000));
        on_page(shared, cell(me, step)) = sum;
        fix(shared, cell(me, step));
        sum = sum * 3 + on_page(shared, cell((me + 1) % members, step));
        sum %= 1'000'003;
    }
    on_page(other_region, me) = sum;
    fix(other_region, me);
    return 0;
}

int eight_in_a_ring() {
    shared = region_of(members * steps);
    pids = region_of(members);
    other_region = region_of(members);
    for (std::size_t i = 0; i < members; ++i)
        begin(steps_with_neighbours);
    for (std::size_t i = 0; i < members; ++i) {
        const spmc_space reader = (i + members - 1) % members + 1;
        void *const cells = page_at(shared, cell(i, 0));
        MUST(spmc_copy_consumer(reader, cells, cells, steps * page));
        MUST(spmc_transfer_ownership(i + 1, cells, cells, steps * page));
        for (word *each : {pids, other_region})
            MUST(spmc_transfer_ownership(i + 1, page_at(each, i), page_at(each, i), page));
    }
    for (const std::size_t stopped : {3U, 6U}) {
        usleep(100'000);
        kill(static_cast<pid_t>(on_page(pids, stopped)), SIGSTOP);
        usleep(300'000);
        kill(static_cast<pid_t>(on_page(pids, stopped)), SIGCONT);
    }
    for (std::size_t i = 0; i < members; ++i)
        std::printf("%ld ", static_cast<long>(on_page(other_region, i)));
    for (std::size_t i = 0; i < members; ++i)
        MUST(spmc_space_wait(i + 1, nullptr));
    return 0;
}

// The same in one process.
std::string sums_of_the_ring() {
    std::vector<std::int64_t> sums(members);
    for (std::size_t i = 0; i < members; ++i)
        sums[i] = static_cast<std::int64_t>(i);
    for (std::size_t step = 0; step < steps; ++step) {
        const std::vector<std::int64_t> before = sums;
        for (std::size_t i = 0; i < members; ++i)
            sums[i] = (before[i] * 3 + before[(i + 1) % members]) % 1'000'003;
    }
    std::string text;
    for (const std::int64_t each : sums)
        text += std::to_string(each) + ' ';
    return text;
}

TEST(spmc_patience, slow_and_stopped_spaces_are_no_deadlock) {
    const outcome seen = run_job(eight_in_a_ring);
    EXPECT_TRUE(seen.exited_with(0)) << seen.status << seen.err;
    EXPECT_EQ(seen.out, sums_of_the_ring());
    EXPECT_EQ(seen.err, "");
}

} // namespace

} // namespace saguaro::spmc_test
