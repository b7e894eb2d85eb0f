// SPDX-License-Identifier: MIT
// The frame of the process tests' programs: PROGRAM MODE [NUMBER] does one thing.
#pragma once

#include "saguaro/saguaro.hpp"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <thread>

namespace process {

inline long number = 0; // the second argument

struct mode {
    const char *name;
    void (*run)();
};

// Runs the mode that the arguments name. What main returns.
template <std::size_t count>
int run_mode(const mode (&modes)[count], int argc, char **argv) {
    number = argc > 2 ? std::atol(argv[2]) : 0;
    for (const mode &m : modes)
        if (argc > 1 && std::strcmp(argv[1], m.name) == 0) {
            m.run();
            return 0;
        }
    std::fprintf(stderr, "%s: no such mode\n", argv[0]);
    return 1;
}

// Ends the process at once unless `holds`: exit code 9 and one line.
inline void check(bool holds, const char *what) {
    if (holds)
        return;
    std::fprintf(stderr, "failed: %s\n", what);
    std::_Exit(9);
}

inline long fib_invoke(long n) {
    if (n < 2)
        return n;
    const auto [x, y] = saguaro::parallel_invoke([n] { return fib_invoke(n - 1); },
                                                 [n] { return fib_invoke(n - 2); });
    return x + y;
}

inline long fib_scope(long n) {
    if (n < 2)
        return n;
    long x = 0;
    saguaro::scope s;
    s.spawn([&x, n] { x = fib_scope(n - 1); });
    const long y = fib_scope(n - 2);
    s.sync();
    return x + y;
}

// Spawns where the caller stands, in a run or outside.
inline bool spawns_in_order() {
    saguaro::reducer<saguaro::string_append> text;
    saguaro::scope s;
    for (char letter = 'a'; letter <= 'e'; ++letter)
        s.spawn([&text, letter] { *text += letter; });
    s.sync();
    return text.get() == "abcde";
}

// fib(18), by both ways of spawning and with a reducer: whether all of it is right.
inline bool computes() {
    if (!spawns_in_order())
        return false;
    saguaro::reducer<saguaro::add<long>> leaves;
    const bool right = saguaro::run([&] {
        saguaro::parallel_for(0L, 1000L, [&](long i) { *leaves += i; });
        return fib_invoke(18) == 2584 && fib_scope(18) == 2584;
    });
    return right && leaves.get() == 499500;
}

// Never returns.
inline void spin() {
    using namespace std::chrono_literals;
    for (volatile bool forever = true; forever;)
        std::this_thread::sleep_for(1ms);
}

} // namespace process
