// SPDX-License-Identifier: MIT
// Cilk_rand: in a file of its own, because old programs define their own.
#include "saguaro/detail/cilk_library.h"

#include <atomic>
#include <cstdint>
#include <cstdlib>

namespace {

// splitmix64 (Steele, Lea, Flood, Fast Splittable Pseudorandom Number Generators, 2014): a step is
// one addition, so that strands share the sequence without a lock.
constexpr std::uint64_t step = 0x9e3779b97f4a7c15;
std::atomic<std::uint64_t> state{0};

} // namespace

extern "C" {

int Cilk_rand(void) {
    // Relaxed: only the number counts.
    std::uint64_t x = state.fetch_add(step, std::memory_order_relaxed) + step;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
    x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
    return static_cast<int>((x ^ (x >> 31)) % (std::uint64_t{RAND_MAX} + 1));
}

void Cilk_srand(unsigned int seed) {
    state.store(seed, std::memory_order_relaxed);
}
}
