// SPDX-License-Identifier: MIT
// Tests that short time slices are granted and change nothing else.
#include "platform/slices.hpp"

#include "support/forbidden_call.hpp"
#include "support/scheduling.hpp"

#include <gtest/gtest.h>

#include <sched.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>

using namespace saguaro::platform;
using saguaro::test_support::scheduling;
using saguaro::test_support::scheduling_of_thread;

namespace {

// In a thread of its own, so that no other test has its slices.
template <class Work>
void on_a_thread(Work work) {
    std::thread(work).join();
}

bool kernel_has_slices() {
    return scheduling_of_thread().runtime != 0;
}

// Asks, and expects that it is granted if the kernel can, and that nothing else changes.
void expect_short_slices_alone() {
    scheduling expected = scheduling_of_thread();
    EXPECT_EQ(take_short_slices(), kernel_has_slices());
    if (kernel_has_slices())
        expected.runtime = shortest_slice_ns;
    EXPECT_EQ(scheduling_of_thread(), expected);
}

// The exit code of a child that runs work().
template <class Work>
int code_of_child(Work work) {
    const pid_t child = fork();
    if (child == 0)
        _exit(work());
    int status = -1;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

} // namespace

TEST(take_short_slices, changes_slices_alone) {
    on_a_thread(expect_short_slices_alone);
}

TEST(take_short_slices, keeps_how_nice_a_thread_is) {
    on_a_thread([] {
        ASSERT_EQ(setpriority(PRIO_PROCESS, 0, 5), 0);
        expect_short_slices_alone();
        EXPECT_EQ(getpriority(PRIO_PROCESS, 0), 5);
    });
}

TEST(take_short_slices, keeps_a_batch_thread_and_what_it_hands_down) {
    on_a_thread([] {
        const sched_param none{};
        ASSERT_EQ(sched_setscheduler(0, SCHED_BATCH | SCHED_RESET_ON_FORK, &none), 0);
        expect_short_slices_alone();
        EXPECT_EQ(sched_getscheduler(0), SCHED_BATCH | SCHED_RESET_ON_FORK);
    });
}

TEST(take_short_slices, leaves_alone_who_is_not_scheduled_by_shares) {
    on_a_thread([] {
        const sched_param none{};
        ASSERT_EQ(sched_setscheduler(0, SCHED_IDLE, &none), 0);
        EXPECT_FALSE(take_short_slices());
        EXPECT_EQ(sched_getscheduler(0), SCHED_IDLE);
    });
}

TEST(take_short_slices, is_for_threads_and_processes_made_later_too) {
    if (!kernel_has_slices())
        GTEST_SKIP() << "this kernel has no slices of a thread's own";
    const auto are_short = [] { return scheduling_of_thread().runtime == shortest_slice_ns; };
    on_a_thread([&] {
        ASSERT_TRUE(take_short_slices());
        on_a_thread([&] { EXPECT_TRUE(are_short()); });
        EXPECT_EQ(code_of_child([&] { return are_short() ? 0 : 1; }), 0);
    });
    EXPECT_FALSE(are_short());
}

TEST(take_short_slices, says_that_it_is_refused) {
    if (!saguaro::test_support::can_forbid_calls())
        GTEST_SKIP() << "no filters of system calls here";
    for (const long call : {SYS_sched_getattr, SYS_sched_setattr})
        EXPECT_EQ(code_of_child([&] {
                      const scheduling before = scheduling_of_thread();
                      saguaro::test_support::forbid_call(call);
                      const bool took = take_short_slices();
                      const bool same =
                          call == SYS_sched_getattr || scheduling_of_thread() == before;
                      return (took ? 1 : 0) + (same ? 0 : 2);
                  }),
                  0)
            << "call " << call;
}
