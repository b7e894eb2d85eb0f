// SPDX-License-Identifier: MIT
// Tests of thread_is_exiting in handlers, destructors and other threads.
#include "platform/process.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <thread>

using namespace saguaro::platform;

namespace {

void say(const char *where, bool is_exiting) {
    std::fprintf(stderr, "%s %d\n", where, is_exiting);
}

struct static_object {
    ~static_object() { say("destructor", thread_is_exiting()); }
};

[[gnu::noinline]] bool on_a_deep_stack(int frames) {
    volatile char frame[512];
    frame[0] = static_cast<char>(frames);
    return (frames == 0 ? thread_is_exiting() : on_a_deep_stack(frames - 1)) &&
           frame[0] == frames % 128;
}

// Calls exit on this thread, or on another.
[[noreturn]] void leave(bool elsewhere) {
    static const static_object made_first;
    std::atexit([] {
        say("handler", thread_is_exiting());
        say("deep", on_a_deep_stack(100));
        bool other = true;
        std::thread([&] { other = thread_is_exiting(); }).join();
        say("other thread", other);
    });
    static const static_object made_last;
    if (elsewhere)
        std::thread([] { std::exit(0); }).join();
    std::exit(0);
}

[[noreturn]] void leave_quickly() {
    std::at_quick_exit([] { say("quick", thread_is_exiting()); });
    std::quick_exit(0);
}

} // namespace

TEST(thread_is_exiting, is_false_before) {
    EXPECT_FALSE(thread_is_exiting());
    std::thread([] { EXPECT_FALSE(thread_is_exiting()); }).join();
}

TEST(thread_is_exiting_death, is_true_in_all_that_exit_calls) {
#if defined(__riscv)
    GTEST_SKIP() << "the unwinder there does not find `exit` among the callers";
#endif
    constexpr const char *expected = "destructor 1\nhandler 1\ndeep 1\nother thread 0\n"
                                     "destructor 1\n";
    EXPECT_EXIT(leave(false), testing::ExitedWithCode(0), expected);
    EXPECT_EXIT(leave(true), testing::ExitedWithCode(0), expected);
    EXPECT_EXIT(leave_quickly(), testing::ExitedWithCode(0), "quick 0\n");
}

TEST(may_be_static, tells_objects_of_the_program_and_of_libraries) {
    static long variable = 1;
    EXPECT_TRUE(may_be_static(&variable));
    EXPECT_TRUE(may_be_static(stdout)) << "the C library's";
#if __GLIBC_PREREQ(2, 35)
    const long local = variable;
    const auto on_the_heap = std::make_unique<long>(local);
    EXPECT_FALSE(may_be_static(&local));
    EXPECT_FALSE(may_be_static(on_the_heap.get()));
#endif
}
