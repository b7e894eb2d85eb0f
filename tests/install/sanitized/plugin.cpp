// SPDX-License-Identifier: MIT
// What a program with a sanitizer loads and unloads: it contains the library.
#include <saguaro/saguaro.hpp>

#include <stdexcept>

namespace {

long fib(long n) {
    if (n < 2)
        return n;
    long a = 0;
    saguaro::scope children;
    children.spawn([&a, n] { a = fib(n - 1); });
    const long b = fib(n - 2);
    children.sync();
    return a + b;
}

} // namespace

extern "C" [[gnu::visibility("default")]] long plugin_work(long n) {
    try {
        saguaro::parallel_for(0, 50, [](int i) {
            if (i == 20)
                throw std::runtime_error("in a loop");
        });
        return -1;
    } catch (const std::exception &) {
        return saguaro::run([n] { return fib(n); });
    }
}
