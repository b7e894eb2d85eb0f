// SPDX-License-Identifier: MIT
// What a task's fork finds of what other threads are at.
#include "scheduler/runtime.hpp"
#include "scheduler/worker.hpp"
#include "support/started.hpp"

#include "saguaro/saguaro.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace saguaro::test {
namespace {

using namespace std::chrono_literals;

// Another thread holds the lock for a while, or, if the fork does not wait for it, until after
// that.
TEST(fork, finds_the_ready_work_unlocked) {
    const started workers(2);
    platform::spin_lock &lock = scheduler::running()->ready.lock();
    std::atomic<bool> is_held{false}, has_forked{false};
    std::thread holder([&] {
        lock.lock();
        is_held = true;
        for (int i = 0; i < 50 && !has_forked; ++i)
            std::this_thread::sleep_for(1ms);
        lock.unlock();
    });
    while (!is_held)
        std::this_thread::yield();
    int status = 0;
    run([&] {
        const pid_t child = fork();
        if (child == 0)
            _exit(lock.is_held() ? 1 : 0);
        has_forked = true;
        waitpid(child, &status, 0);
    });
    holder.join();
    EXPECT_EQ(status, 0);
    EXPECT_FALSE(lock.is_held());
}

} // namespace
} // namespace saguaro::test
