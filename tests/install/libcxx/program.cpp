// SPDX-License-Identifier: MIT
// A program with libc++: each construct, and exceptions that go from one worker to another.
#include <saguaro/saguaro.hpp>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <numeric>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

#if !defined(_LIBCPP_VERSION)
#error "this is to be compiled with -stdlib=libc++"
#endif

void expect(bool holds, const char *what) {
    if (!holds) {
        std::printf("wrong: %s\n", what);
        std::exit(1);
    }
}

template <class F>
std::string thrown_by(F &&f) {
    try {
        f();
    } catch (const std::exception &e) {
        return e.what();
    }
    return "nothing";
}

// The first of two flows waits until another worker has begun the second one.
std::string thrown_by_a_thief() {
    return thrown_by([] {
        std::atomic<bool> begun{false};
        saguaro::parallel_invoke(
            [&] {
                while (!begun)
                    std::this_thread::sleep_for(std::chrono::microseconds(100));
            },
            [&] {
                begun = true;
                throw std::runtime_error("a thief's");
            });
    });
}

// A handler that waits for its children meanwhile goes on with the exception that it caught.
std::string kept_by_a_handler() {
    return thrown_by([] {
        saguaro::run([] {
            try {
                throw std::runtime_error("the handler's");
            } catch (const std::exception &) {
                thrown_by_a_thief();
                saguaro::parallel_for(0, 10'000, [](int) {});
                throw;
            }
        });
    });
}

void loops_and_algorithms() {
    std::vector<long> x(100'000), sums(x.size());
    saguaro::parallel_for(std::size_t{0}, x.size(), 2, [&](std::size_t i) { x[i] = 1; });
    expect(saguaro::parallel_reduce(x, 0L, std::plus<>()) == 50'000, "parallel_reduce");
    saguaro::parallel_scan(x, sums.begin());
    expect(sums.back() == 50'000, "parallel_scan");
    const auto sum = [](auto b, auto e) { return std::accumulate(b, e, 0L); };
    const auto write = [&](auto b, auto e, long before) { return before + sum(b, e); };
    expect(saguaro::parallel_scan_blocks(x, 0L, std::plus<>(), sum, write) == 50'000,
           "parallel_scan_blocks");
    saguaro::parallel_sort(x);
    expect(saguaro::parallel_find(x, 1L) - x.begin() == 50'000, "parallel_sort, parallel_find");
    const auto nine = [](int i) {
        if (i >= 9)
            throw std::runtime_error(std::to_string(i));
    };
    expect(thrown_by([&] { saguaro::parallel_for(0, 100'000, nine); }) == "9",
           "a loop's exception");
    expect(thrown_by([&] { saguaro::parallel_for(0, 9, 0, nine); }) ==
               "saguaro: the step of a loop is 0",
           "an exception of the library's");
}

void spawns_and_reducers() {
    saguaro::reducer<saguaro::string_append> text;
    saguaro::run([&] {
        saguaro::scope s;
        for (int i = 0; i < 1000; ++i)
            s.spawn([&, i] { *text += std::to_string(i % 10); });
        s.sync();
    });
    expect(text.get().size() == 1000 && text.get().ends_with("0123456789"), "string_append");
    std::atomic<int> calls{0};
    saguaro::task_group group;
    for (int i = 0; i < 100; ++i)
        group.run([&] { ++calls; });
    group.wait();
    expect(calls == 100, "task_group");
    group.run([] { throw std::runtime_error("a task's"); });
    expect(thrown_by([&] { group.wait(); }) == "a task's", "a task's exception");
}

} // namespace

int main() {
    saguaro::start({.workers = 4});
    for (int i = 0; i < 20; ++i) {
        expect(thrown_by_a_thief() == "a thief's", "a thief's exception");
        expect(kept_by_a_handler() == "the handler's", "a handler's exception");
    }
    loops_and_algorithms();
    spawns_and_reducers();
    saguaro::stop();
    std::puts("sound");
}
