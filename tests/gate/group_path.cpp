// SPDX-License-Identifier: MIT
// fib by task groups, one for each call.
#include "group_path.hpp"

#include <saguaro/task_group.hpp>

long fib_by_group(long n) {
    if (n < 2)
        return n;
    long a = 0;
    saguaro::task_group children;
    children.run([&a, n] { a = fib_by_group(n - 1); });
    const long b = fib_by_group(n - 2);
    children.wait();
    return a + b;
}
