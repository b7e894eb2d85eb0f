// SPDX-License-Identifier: MIT
// A process that forks while another thread is the first to ask for memory: a program of its own,
// because there is one such moment in a process.
#include "numa/emulated.hpp"

#include <gtest/gtest.h>
#include <saguaro/detail/sanitizers.h>
#include <saguaro/place.h>

#include <atomic>
#include <chrono>
#include <sched.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

SG_BEFORE_CASES(emulated::install)

namespace {

std::atomic<bool> is_reading{false};

// Takes a thousand times as long as anything here: the fork begins meanwhile.
std::string read_slowly(const std::string &name) {
    if (!is_reading.exchange(true))
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
    return emulated::read_file(name);
}

} // namespace

TEST(forks, child_finds_what_another_thread_was_making) {
    if (SG_THREAD_SANITIZER)
        GTEST_SKIP() << "it takes the parent's thread for one that the child has forgotten";
    saguaro::numa::calls.read_file = read_slowly;
    ASSERT_FALSE(is_reading);
    std::thread first([] { sg_free_place(sg_malloc_local(100)); });
    while (!is_reading)
        sched_yield();
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
        alarm(60);
        void *const placed = sg_malloc_place(100, sg_layout_on_node(5));
        void *const local = sg_malloc_local(100);
        sg_free_place(placed);
        sg_free_place(local);
        _exit(placed != nullptr && local != nullptr ? 0 : 1);
    }
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
    first.join();
}
