// SPDX-License-Identifier: MIT
// A C++ program of somebody else's: each construct once, and a thread that a task creates.
#include <saguaro/saguaro.hpp>

#include <cstdio>
#include <thread>

namespace {

long fib(long n) {
    if (n < 2)
        return n;
    const auto [a, b] =
        saguaro::parallel_invoke([=] { return fib(n - 1); }, [=] { return fib(n - 2); });
    return a + b;
}

long sum_of_squares(long n) {
    saguaro::reducer<saguaro::add<long>> total;
    saguaro::parallel_for(0L, n, [&](long i) { *total += i * i; });
    return total.get();
}

long spawned(int children) {
    saguaro::reducer<saguaro::add<long>> total;
    saguaro::scope s;
    for (int i = 0; i < children; ++i)
        s.spawn([&total, i] { *total += i; });
    s.sync();
    return total.get();
}

// Whether a thread that is created on a worker sees that worker's region, as the worker does. The
// C++ library creates it, which has to come by the library's own function for it.
bool new_thread_passes_for_a_worker() {
    bool passes = true;
    std::thread([&] { passes = SG_REGION_GET(sg_worker *, worker) != nullptr; }).join();
    return passes;
}

} // namespace

int main() {
    saguaro::start({.workers = 2});
    std::printf("fib %ld\n", saguaro::run([] { return fib(20); }));
    std::printf("squares %ld\n", saguaro::run([] { return sum_of_squares(1000); }));
    std::printf("spawned %ld\n", saguaro::run([] { return spawned(100); }));
    std::printf("thread %d\n", static_cast<int>(saguaro::run(new_thread_passes_for_a_worker)));
    try {
        saguaro::run([] { throw 7; });
    } catch (int thrown) {
        std::printf("thrown %d\n", thrown);
    }
    saguaro::stop();
    std::printf("workers %zu\n", static_cast<std::size_t>(saguaro::workers() > 0));
}
