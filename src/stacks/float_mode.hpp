// SPDX-License-Identifier: MIT
// The rounding mode of flows that keep their own, while others run on their thread.
#pragma once

#include "platform/arch.hpp"

#include <cstdint>

namespace saguaro::stacks {

// Gives the thread back the mode that all its flows begin with. Returns how the calling flow's
// differs from it; 0: not at all.
inline std::uint64_t take_float_mode(std::uint64_t common) {
    const std::uint64_t difference = platform::float_mode() ^ common;
    if (difference != 0) [[unlikely]]
        platform::set_float_mode(common);
    return difference;
}

// Gives a flow its mode back, on a thread that has the common one.
inline void give_float_mode(std::uint64_t common, std::uint64_t difference) {
    if (difference != 0) [[unlikely]]
        platform::set_float_mode(common ^ difference);
}

} // namespace saguaro::stacks
