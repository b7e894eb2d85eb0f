// SPDX-License-Identifier: MIT
// A strand's random numbers: what dotmix and OpenCilk's functions have in common.
#pragma once

#include <cstdint>

namespace saguaro::detail {
struct ancestor;
} // namespace saguaro::detail

namespace saguaro::scheduler {

// The strand's next number, a hash of the seed and of the strand's pedigree (dotmix.hpp). The
// strand's rank goes up. Only the strand itself may ask.
std::uint64_t next_number(detail::ancestor &self, std::uint64_t seed);

} // namespace saguaro::scheduler
