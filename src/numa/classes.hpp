// SPDX-License-Identifier: MIT
// The sizes of blocks in a pool: multiples of 16 up to 128 bytes, then four for each doubling up to
// 1 MB. So at most a fifth of a block above 128 bytes is lost.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>

namespace saguaro::numa {

inline constexpr std::size_t largest_block = std::size_t{1} << 20;
inline constexpr unsigned block_classes = 60;

// The class of the smallest blocks that hold `bytes`, 1 to `largest_block`.
constexpr unsigned class_of(std::size_t bytes) {
    const std::size_t last = bytes - 1;
    if (last < 128)
        return static_cast<unsigned>(last >> 4);
    const auto power = static_cast<unsigned>(std::bit_width(last)) - 1;
    return power * 4 - 20 + static_cast<unsigned>((last >> (power - 2)) & 3);
}

constexpr std::size_t size_of_class(unsigned block_class) {
    if (block_class < 8)
        return (block_class + std::size_t{1}) * 16;
    const unsigned power = (block_class + 20) / 4;
    return (std::size_t{(block_class & 3) + 5}) << (power - 2);
}

// How many blocks a thread keeps for itself, of each class and node: up to 128 KB of them. Half as
// many go to the pool or come from it at once.
constexpr unsigned most_kept(std::size_t block_bytes) {
    return static_cast<unsigned>(
        std::clamp<std::size_t>((std::size_t{128} << 10) / block_bytes, 2, 1024));
}

} // namespace saguaro::numa
