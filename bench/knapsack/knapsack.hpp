// SPDX-License-Identifier: MIT
//
// knapsack: branch and bound, for peers that are to solve what examples/cilk/knapsack.cilk solves:
// the same things, the same bound, the same serial leaves.
#pragma once

#include "driver/measure.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <vector>

namespace saguaro::bench {

struct knapsack {
    struct thing {
        long value;
        long weight;
    };

    /// With so few things left the search is serial.
    static constexpr int serial_things = 12;

    std::vector<thing> things;
    long capacity = 0;
    /// Read without the lock: too old a value cuts off less.
    std::atomic<long> best{0};
    std::mutex best_lock;

    explicit knapsack(int count) {
        std::uint64_t state = 3;
        for (int i = 0; i < count; i++) {
            const long weight = 100000 + static_cast<long>(next_random(state) % 100000);
            things.push_back({weight + 10000, weight});
            capacity += weight;
        }
        capacity /= 2;
        std::sort(things.begin(), things.end(), [](const thing &a, const thing &b) {
            return b.value * a.weight < a.value * b.weight;
        });
    }

    /// splitmix64, as the examples' random numbers.
    static std::uint64_t next_random(std::uint64_t &state) {
        state += 0x9e3779b97f4a7c15U;
        std::uint64_t z = state;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
        return z ^ (z >> 31);
    }

    int left_after(int next) const { return static_cast<int>(things.size()) - next; }

    const thing &at(int next) const { return things[static_cast<std::size_t>(next)]; }

    bool is_hopeful(int next, long room, long value) const {
        const long known = best.load(std::memory_order_relaxed);
        return (known - value) * at(next).weight < room * at(next).value;
    }

    void found(long value) {
        const std::lock_guard guard(best_lock);
        best.store(std::max(value, best.load(std::memory_order_relaxed)),
                   std::memory_order_relaxed);
    }

    void fill_serially(int next, long room, long value) {
        if (value > best.load(std::memory_order_relaxed))
            found(value);
        if (left_after(next) == 0 || !is_hopeful(next, room, value))
            return;
        if (at(next).weight <= room)
            fill_serially(next + 1, room - at(next).weight, value + at(next).value);
        fill_serially(next + 1, room, value);
    }

    /// Throws wrong_answer unless the best load is that of a table of the best for each weight.
    void check() const {
        std::vector<long> table(static_cast<std::size_t>(capacity) + 1);
        for (const thing &one : things) {
            for (long room = capacity; room >= one.weight; room--) {
                long &here = table[static_cast<std::size_t>(room)];
                here =
                    std::max(here, table[static_cast<std::size_t>(room - one.weight)] + one.value);
            }
        }
        expect_equal(table.back(), best);
    }
};

template <typename runtime>
double measure_knapsack(long n, int workers, void (*fill)(knapsack &problem)) {
    knapsack problem(static_cast<int>(n));
    const double seconds = measure<runtime>(workers, [&] { fill(problem); });
    problem.check();
    return seconds;
}

double knapsack_lace(long n, int workers); // lace.cpp, in a program of its own

} // namespace saguaro::bench
