// SPDX-License-Identifier: MIT
// Faults of regions beside those of others, who handle the same signals.
#include "pages.hpp"
#include "platform/memory.hpp"
#include "saguaro/detail/sanitizers.h"
#include "stacks/overflow.hpp"
#include "stacks/pool.hpp"
#include "support/job.hpp"

#include <csignal>
#include <cstring>
#include <gtest/gtest.h>
#include <string>
#include <thread>
#include <unistd.h>

namespace saguaro::spmc_test {

namespace {

// A page that comes late is read.
int reads_late() {
    shared = region_of(1);
    const spmc_space other = begin([](void *) {
        usleep(20'000);
        shared[0] = 5;
        fix(shared, 0);
        return 0;
    });
    give_all(other, shared, 1);
    return shared[0] == 5 ? end_of(other) : 1;
}

void ends_with_eleven(int) {
    _exit(11);
}

void handle_with(void (*handler)(int)) {
    struct sigaction ours;
    std::memset(&ours, 0, sizeof(ours));
    ours.sa_handler = handler;
    sigaction(SIGSEGV, &ours, nullptr);
}

void touch_nothing() {
    char *const none = static_cast<char *>(platform::reserve(page));
    platform::protect_none(none, page);
    *const_cast<volatile char *>(none) = 1;
}

TEST(spmc_faults, elsewhere_go_to_the_handler_that_was_there) {
    const outcome seen = run_job([] {
        handle_with(ends_with_eleven);
        if (reads_late() != 0)
            return 1;
        touch_nothing();
        return 2;
    });
    EXPECT_TRUE(seen.exited_with(11)) << seen.status << seen.err;
}

TEST(spmc_faults, elsewhere_end_a_space_as_ever) {
#ifdef SG_TEST_EMULATED
    GTEST_SKIP() << "a child of qemu begins no threads, so a space no spaces";
#endif
    const outcome seen = run_job([] {
        handle_with(SIG_DFL); // and not a sanitizer's
        return end_of(begin([](void *) {
            if (reads_late() != 0)
                return 1;
            touch_nothing();
            return 2;
        }));
    });
    EXPECT_TRUE(seen.exited_with(100 + SIGSEGV)) << seen.status << seen.err;
}

TEST(spmc_faults, a_signal_that_was_sent_is_none) {
    const outcome seen = run_job([] {
        handle_with(ends_with_eleven);
        if (reads_late() != 0)
            return 1;
        kill(getpid(), SIGSEGV);
        return 2;
    });
    EXPECT_TRUE(seen.exited_with(11)) << seen.status << seen.err;
}

// ---- Beside the runtime's reports of stacks that are too small ----

constexpr stacks::purpose for_somebody{
    "SAGUARO_STACK_SIZE", "worker", nullptr, false,
    [](const stacks::stack &) { return stacks::runner{true, false, 7}; }};

int descend(volatile char *above, int frames) {
    volatile char frame[512];
    frame[0] = above[0];
    return frames == 0 ? 0 : descend(frame, frames - 1) + frame[0];
}

stacks::context *overflow(void *) {
    volatile char top = '\0';
    std::exit(descend(&top, 1'000'000)); // not reached
}

void overflow_a_stack() {
    stacks::pool some(64 * 1024, 0, for_somebody);
    std::thread([&] {
        const stacks::alternate_stack for_handlers;
        stacks::context here;
        start_on(here, *some.take(), overflow, nullptr);
    }).join();
}

void expect_report(const outcome &seen) {
    EXPECT_TRUE(WIFSIGNALED(seen.status) && WTERMSIG(seen.status) == SIGSEGV) << seen.status;
    EXPECT_EQ(seen.err.find("saguaro: worker 7 overflowed its stack of "), 0U) << seen.err;
}

char *pages_of_test = nullptr;

void reads_the_second(int) {
    static_cast<void>(*static_cast<volatile char *>(pages_of_test + SPMC_PAGE));
}

// Signals the parent when that sleeps, which it does in the wait for its first page alone.
int signals_a_sleeper(void *) {
    static_cast<void>(*static_cast<volatile char *>(pages_of_test + 2 * SPMC_PAGE)); // fixed first
    const pid_t parent = getppid();
    const std::string path = "/proc/" + std::to_string(parent) + "/stat";
    for (int asleep = 0; asleep < 20;) { // and not for a moment before
        const std::string line = test_support::content_of(path);
        const std::size_t name = line.rfind(") ");
        asleep = name != std::string::npos && line[name + 2] == 'S' ? asleep + 1 : 0;
        usleep(1000);
    }
    kill(parent, SIGUSR1);
    pause();
    return 0;
}

TEST(spmc_faults, a_signal_handler_reads_while_its_thread_waits) {
    const outcome seen = run_job([] {
        std::signal(SIGUSR1, reads_the_second);
        pages_of_test = static_cast<char *>(spmc_alloc(nullptr, 3 * SPMC_PAGE));
        spmc_space child;
        if (spmc_space_create(&child, signals_a_sleeper, nullptr) != 0)
            return 1;
        spmc_copy_consumer(child, pages_of_test + 2 * SPMC_PAGE, pages_of_test + 2 * SPMC_PAGE,
                           SPMC_PAGE);
        spmc_transfer_ownership(child, pages_of_test, pages_of_test, 2 * SPMC_PAGE);
        spmc_fix(pages_of_test + 2 * SPMC_PAGE, SPMC_PAGE);
        return static_cast<int>(*static_cast<volatile char *>(pages_of_test));
    });
    EXPECT_TRUE(seen.exited_with(2)) << seen.status << seen.err;
    EXPECT_TRUE(test_support::has(seen.err, "by a signal handler, while the thread that it"))
        << seen.err;
}

TEST(spmc_faults, an_overflow_is_reported_behind_regions) {
    expect_report(run_job([] {
        handle_with(SIG_DFL);
        const stacks::overflow_report reports;
        if (reads_late() != 0)
            return 1;
        overflow_a_stack();
        return 2;
    }));
}

TEST(spmc_faults, an_overflow_is_reported_before_regions) {
    expect_report(run_job([] {
        handle_with(SIG_DFL);
        spmc_space_self();
        const stacks::overflow_report reports;
        if (reads_late() != 0)
            return 1;
        overflow_a_stack();
        return 2;
    }));
}

} // namespace

} // namespace saguaro::spmc_test
