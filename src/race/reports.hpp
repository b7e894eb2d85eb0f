// SPDX-License-Identifier: MIT
// Telling of races.
#pragma once

#include "race/shadow.hpp"

#include <cstdint>

namespace saguaro::race {

enum class access_kind { read, write };

// The earlier access of a race, as its cell has it.
struct earlier_access {
    strand by; // may have the atomic bit
    std::uint32_t place;
    access_kind kind;
};

// A race at that address, of an earlier access with one by the strand that runs at `place` in the
// program's code. Prints it, unless one of the same two places was printed.
[[gnu::noinline, gnu::cold]] void report(address at, const earlier_access &earlier, address place,
                                         access_kind kind);

// Prints how many there were, and returns it.
std::uint64_t races_found();

} // namespace saguaro::race
