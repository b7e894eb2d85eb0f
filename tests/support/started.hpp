// SPDX-License-Identifier: MIT
// Helpers of the tests of whole runs: workers for a while, something parallel to do, threads at
// once.
#pragma once

#include "saguaro/saguaro.hpp"

#include <gtest/gtest.h>

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

} // namespace saguaro::test
