// SPDX-License-Identifier: MIT
// What is said of a frame that is larger than the guard below a flow's stack.
#include "saguaro/saguaro.hpp"
#include "stacks/sanitizers.hpp"
#include "support/death_style.hpp"
#include "support/long_frame.hpp"

#include <csignal>
#include <gtest/gtest.h>
#include <thread>
#include <unistd.h>

namespace {

#if !SG_ANNOTATE_STACKS // which speaks of overflows itself

const char *const line = "saguaro: worker [0-9]+ overflowed its stack of [0-9]+ bytes; "
                         "SAGUARO_STACK_SIZE=BYTES makes it larger";

void overflow_in_a_child() {
    saguaro::run([] {
        saguaro::scope s;
        s.spawn([] { saguaro::test_support::step_over_the_guard(); });
        s.sync();
    });
}

TEST(long_frame_death, of_a_child_is_explained) {
    saguaro::test::use_threadsafe_style();
    EXPECT_EXIT(overflow_in_a_child(), testing::KilledBySignal(SIGSEGV), line);
}

TEST(long_frame_death, of_the_root_of_another_thread_is_explained) {
    saguaro::test::use_threadsafe_style();
    EXPECT_EXIT(std::thread([] {
                    saguaro::run([] { saguaro::test_support::step_over_the_guard(); });
                }).join(),
                testing::KilledBySignal(SIGSEGV), line);
}

// It may be about to repair a fault on a stack of the program's own.
TEST(long_frame_death, of_a_program_that_handles_faults_is_left_to_it) {
    saguaro::test::use_threadsafe_style();
    const auto overflow = [] {
        struct sigaction own = {};
        own.sa_handler = [](int) { _exit(7); };
        own.sa_flags = SA_ONSTACK;
        sigaction(SIGSEGV, &own, nullptr);
        overflow_in_a_child();
    };
    EXPECT_EXIT(overflow(), testing::ExitedWithCode(7), "^$");
}

#else

TEST(long_frame, is_the_sanitizers_to_report) {
    GTEST_SKIP();
}

#endif

} // namespace
