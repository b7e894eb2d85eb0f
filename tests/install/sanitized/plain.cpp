// SPDX-License-Identifier: MIT
// A part of a program with a sanitizer that was compiled without one: its children are calls.
#include "plain.hpp"

#include <saguaro/saguaro.hpp>
#include <saguaro/task_group.hpp>

#include <atomic>

long plain_fib(long n) {
    if (n < 2)
        return n;
    long a = 0;
    saguaro::scope children;
    children.spawn([&a, n] { a = plain_fib(n - 1); });
    const long b = plain_fib(n - 2);
    children.sync();
    return a + b;
}

long plain_group(int tasks) {
    std::atomic<long> sum{0};
    saguaro::task_group group;
    for (int i = 0; i < tasks; ++i)
        group.run([&sum, i] { sum += i; });
    group.wait();
    return sum;
}
