// SPDX-License-Identifier: MIT
// Small stacks, and few addresses for them.
#pragma once

#include "stacks/pool.hpp"

#include <cstddef>
#include <cstdlib>
#include <sys/resource.h>
#include <vector>

constexpr std::size_t small_stack = 64 * 1024;

inline void give_all(saguaro::stacks::pool &stacks,
                     const std::vector<saguaro::stacks::stack *> &taken) {
    for (saguaro::stacks::stack *each : taken)
        stacks.give(each);
}

// From now on this process gets no more addresses. For a process that a test has forked.
inline void limit_addresses(std::size_t bytes) {
    const rlimit little{bytes, bytes};
    if (setrlimit(RLIMIT_AS, &little) != 0)
        std::_Exit(9);
}
