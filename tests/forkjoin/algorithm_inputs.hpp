// SPDX-License-Identifier: MIT
// Sizes, inputs and scattered steals for the tests of the algorithms.
#pragma once

#include "forcing.hpp"

#include "saguaro/run.hpp"

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace saguaro::test {

// Nothing, one, two, around the powers of two at which algorithms cut, primes, and a big one.
inline std::vector<std::size_t> sizes() {
    return {0, 1, 2, 3, 7, 31, 32, 33, 64, 97, 255, 256, 257, 1021, 2048, 2049, 10'007};
}

inline constexpr std::size_t big = is_slow ? 40'009 : 200'003;

inline std::vector<int> random_ints(std::size_t n, int below, unsigned seed) {
    std::mt19937 generator(seed);
    std::uniform_int_distribution<int> draw(0, below - 1);
    std::vector<int> list(n);
    for (int &x : list)
        x = draw(generator);
    return list;
}

// Short words, each with its place, so that no two concatenations are the same.
inline std::vector<std::string> words(std::size_t n) {
    std::vector<std::string> list(n);
    for (std::size_t i = 0; i < n; ++i)
        list[i] = std::to_string(i) + ",";
    return list;
}

// Each `period`th call lets a thief rob the caller, if it has something to take. Any worker.
class now_and_then {
public:
    explicit now_and_then(unsigned period) : period_(period) {}

    void operator()() {
        // Relaxed: who counts how far does not matter.
        if (calls_.fetch_add(1, std::memory_order_relaxed) % period_ == period_ - 1)
            force_steal(std::chrono::milliseconds(1));
    }

private:
    const unsigned period_;
    std::atomic<unsigned> calls_{0};
};

// The runtime with `n` workers that steal when they like, for as long as the object lives.
class free_workers {
public:
    explicit free_workers(unsigned n) { saguaro::start({.workers = n}); }
    ~free_workers() { saguaro::stop(); }
    free_workers(const free_workers &) = delete;
    free_workers &operator=(const free_workers &) = delete;
};

} // namespace saguaro::test
