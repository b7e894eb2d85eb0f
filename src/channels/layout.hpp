// SPDX-License-Identifier: MIT
// A channel, as it lies in the control area of the job (spmc/layout.hpp): README.md.
#pragma once

#include "spmc/children.hpp"
#include "spmc/layout.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace saguaro::channels {

// Messages that a channel has room for, whatever their size: a power of two.
inline constexpr std::uint32_t cells_in_channel = 256;

// The most bytes of a message that its cell holds itself.
inline constexpr std::size_t most_inline = 56;

// Set in a word by who sleeps on it; whoever changes the word then wakes.
inline constexpr std::uint32_t waiters = 1;

// What stands in a cell of a message that it does not hold.
struct elsewhere {
    std::uint64_t offset; // in the data of
    std::uint64_t bytes;
    spmc::place of; // this table
};

// In `cell::bytes`, instead of a number of at most `most_inline`: the message lies elsewhere; there
// is none, and none will follow.
inline constexpr std::uint32_t is_elsewhere = ~std::uint32_t{0};
inline constexpr std::uint32_t is_end = is_elsewhere - 1;

// One message: what a consumer looks at is one cache line.
struct alignas(64) cell {
    // Twice the round in which its message was sent, from 1, and perhaps `waiters`.
    std::atomic<std::uint32_t> round;
    std::uint32_t bytes; // or `is_elsewhere`, or `is_end`
    union {
        unsigned char data[most_inline];
        struct elsewhere where;
    };
};
static_assert(sizeof(cell) == 64);

// In `consumer_line::left`: the consumer has closed its end, and receives no more.
inline constexpr std::uint32_t takes_no_more = 1;

// What one consumer has received.
struct alignas(64) consumer_line {
    // Twice the number of messages, and perhaps `waiters`.
    std::atomic<std::uint32_t> received; // told late: the producer sleeps on it
    // The space that is this consumer; 0 until one is; with `has_left` when it has given that up.
    std::atomic<std::uint32_t> slot;
    // Twice the number of messages, after each, and perhaps `takes_no_more`.
    std::atomic<std::uint32_t> left;
};

struct alignas(64) channel_head {
    std::uint32_t consumers; // 0: there is no such channel at present
    spmc::place cells;       // an array of so many as `cells_in_channel`
    spmc::place lines;       // an array of `consumer_line`, with `room`
    std::uint64_t capacity;
    std::atomic<std::uint32_t> slot; // the producer, as in `consumer_line`

    // Of its life: README.md. The ends that are not given up, also those that no space has taken.
    std::atomic<std::uint32_t> ends;
    std::atomic<std::uint32_t> parts; // that keep the place: all ends, and the handle
    std::atomic<spmc::place> tables;  // of large messages: the producer's list
    spmc::keepable kept;              // for the maker's children
    std::uint32_t room;               // for so many consumers
    std::atomic<std::uint32_t> next;  // in the list of those to be used again
};

} // namespace saguaro::channels
