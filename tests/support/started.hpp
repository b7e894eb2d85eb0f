// SPDX-License-Identifier: MIT
// Helpers of the tests of whole runs: workers for a while, something parallel to do, threads at
// once, waiting for what they do.
#pragma once

#include "saguaro/saguaro.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>
#include <vector>

namespace saguaro::test {

// This many workers, while the object lives.
class started {
public:
    explicit started(unsigned workers) { start({.workers = workers}); }
    ~started() { EXPECT_EQ(sg_stop(), 0); }
    started(const started &) = delete;
    started &operator=(const started &) = delete;
};

inline long fib(long n) {
    if (n < 2)
        return n;
    const auto [x, y] = parallel_invoke([n] { return fib(n - 1); }, [n] { return fib(n - 2); });
    return x + y;
}

// Runs body(number) on so many threads of its own at once.
template <class Body>
void on_threads(int count, Body body) {
    std::vector<std::thread> threads;
    for (int i = 0; i < count; ++i)
        threads.emplace_back([&body, i] { body(i); });
    for (std::thread &t : threads)
        t.join();
}

// Sleeps until condition(). False if it has not become true within a minute.
template <class Condition>
bool becomes_true(Condition condition) {
    using clock = std::chrono::steady_clock;
    for (const clock::time_point deadline = clock::now() + std::chrono::minutes(1); !condition();
         std::this_thread::sleep_for(std::chrono::milliseconds(1)))
        if (clock::now() > deadline)
            return false;
    return true;
}

} // namespace saguaro::test
