// SPDX-License-Identifier: MIT
// A fork in every call. Exit code 0 if the sum is right.
#include <cstdio>
#include <saguaro/saguaro.hpp>

static long fib(long n) {
    if (n < 2)
        return n;
    auto [a, b] = saguaro::parallel_invoke([=] { return fib(n - 1); }, [=] { return fib(n - 2); });
    return a + b;
}

int main() {
    const long result = saguaro::run([] { return fib(25); });
    std::printf("C++: fib(25) = %ld\n", result);
    return result == 75025 ? 0 : 1;
}
