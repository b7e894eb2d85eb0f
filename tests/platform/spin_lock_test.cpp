// SPDX-License-Identifier: MIT
// Tests of the spin lock.
#include "platform/spin_lock.hpp"

#include <gtest/gtest.h>

#include <mutex>
#include <thread>
#include <vector>

using saguaro::platform::spin_lock;

TEST(spin_lock, lets_one_in_at_a_time) {
    constexpr int threads = 4;
    constexpr int turns = 10'000;
    spin_lock lock;
    long count = 0; // guarded by lock
    std::vector<std::thread> all;
    for (int t = 0; t < threads; ++t)
        all.emplace_back([&] {
            for (int turn = 0; turn < turns; ++turn) {
                const std::lock_guard guard(lock);
                const long before = count;
                // Long enough for the others to be waiting when the lock comes free.
                for (int i = 0; i < 10; ++i)
                    saguaro::platform::cpu_relax();
                count = before + 1;
            }
        });
    for (std::thread &each : all)
        each.join();
    EXPECT_EQ(count, static_cast<long>(threads) * turns);
}

TEST(spin_lock, try_lock_fails_while_held) {
    spin_lock lock;
    EXPECT_TRUE(lock.try_lock());
    EXPECT_FALSE(lock.try_lock());
    lock.unlock();
    EXPECT_TRUE(lock.try_lock());
    lock.unlock();
}
