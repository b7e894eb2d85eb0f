// SPDX-License-Identifier: MIT
// In which order the values of members are combined: one order for n members, whatever algorithm
// does it, so that sums of floating point numbers have the same bits.
//
// The values of members 0 to n - 1 are cut at the largest power of two below n; both halves are
// combined in the same way, and then the left one with the right one:
//
//     n = 6:  ((v0 v1) (v2 v3)) (v4 v5)
//
// This is what a binomial tree with root 0 does, and what neighbours do who exchange at distances
// 1, 2, 4. Member r's result of a scan is that of r + 1 members. Nothing but associativity is
// needed of the operation.
#pragma once

#include "channels/collectives/transport.hpp"

#include <bit>
#include <cstddef>
#include <span>

namespace saguaro::channels {

// An operation on values of `unit` bytes each.
struct combination {
    std::size_t unit;
    // Stores left[i] op right[i] in into[i]; `into` may be one of the two.
    void (*combine)(void *into, const void *left, const void *right, std::size_t count,
                    void *context);
    void *context;

    void operator()(std::byte *into, const std::byte *left, const std::byte *right,
                    std::size_t size) const {
        if (size != 0)
            combine(into, left, right, size / unit, context);
    }
};

// How many of n values are in the left part: n is at least 2.
constexpr unsigned left_part(unsigned n) {
    return std::bit_floor(n - 1);
}

// Combines values of `size` bytes each, which lie anywhere, in that order. `into` may be one of
// them.
void combine_all(const combination &op, std::span<const std::byte *const> values, std::byte *into,
                 std::size_t size);

// The same for values that come one after the other: what has been combined so far is a stack of
// blocks of 1, 2, 4 ... values, as the bits of their number say.
class prefix {
public:
    // Room for the blocks of fewer than `most` values, of `size` bytes each, is at `room`.
    static std::size_t room_for(unsigned most, std::size_t size) {
        return static_cast<std::size_t>(std::bit_width(most)) * size;
    }
    prefix(const combination &op, std::byte *room, std::size_t size)
        : op_(op), room_(room), size_(size) {}

    // Stores what all values so far and `value` behind them give.
    void result_with(const std::byte *value, std::byte *into) const;

    void add(const std::byte *value);

    // The blocks, the oldest first, for whoever goes on with them: `count` is of values.
    static std::size_t bytes_of(unsigned count, std::size_t size) {
        return static_cast<std::size_t>(std::popcount(count)) * size;
    }
    const_bytes blocks() const { return {room_, bytes_of(count_, size_)}; }
    void take_over(unsigned count) { count_ = count; } // `room` holds them already

private:
    std::byte *block(int from_top) const {
        return room_ + static_cast<std::size_t>(std::popcount(count_) - 1 - from_top) * size_;
    }

    const combination &op_;
    std::byte *const room_;
    const std::size_t size_;
    unsigned count_ = 0;
};

} // namespace saguaro::channels
