// SPDX-License-Identifier: MIT
// Cilk_rand: in a file of its own, because old programs define their own.
#include "platform/arithmetic.hpp"
#include "saguaro/detail/cilk_library.h"

#include <atomic>
#include <cstdint>
#include <cstdlib>

namespace {

// A step of splitmix64 is one addition, so that strands share the sequence without a lock.
using saguaro::platform::golden;
std::atomic<std::uint64_t> state{0};

} // namespace

extern "C" {

int Cilk_rand(void) {
    // Relaxed: only the number counts.
    const std::uint64_t x = state.fetch_add(golden, std::memory_order_relaxed) + golden;
    return static_cast<int>(saguaro::platform::mixed(x) % (std::uint64_t{RAND_MAX} + 1));
}

void Cilk_srand(unsigned int seed) {
    state.store(seed, std::memory_order_relaxed);
}
}
