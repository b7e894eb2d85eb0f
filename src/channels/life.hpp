// SPDX-License-Identifier: MIT
// From the making of a channel until its memory serves the next one: README.md, "The life of a
// channel".
#pragma once

#include "channels/layout.hpp"
#include "spmc/job.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace saguaro::channels {

// A channel's place for so many consumers; 0 if there is no memory. The calling space has its
// handle.
spmc::place make_channel(spmc::job &all, std::uint32_t consumers, std::size_t capacity);

// What a space can have of a channel: the handle of the one that it made, and ends.
inline constexpr std::uint32_t the_handle = 1;
inline constexpr std::uint32_t the_producer = 2;
inline constexpr std::uint32_t first_consumer = 3; // and so on

// The calling space has that of the channel from now on, until it gives it up or has ended.
using holding = std::atomic<std::uint64_t>;
holding &note_holding(spmc::job &all, spmc::place channel, std::uint32_t what);

// The calling space gives an end up, of which it does not use anything any more.
void give_up_end(spmc::job &all, channel_head &head, holding &noted,
                 std::atomic<std::uint32_t> &slot);

// The calling space gives the handle up if it has made the channel and has not done so before: no
// space takes an end of it any more, as soon as the children that may know it have ended.
void give_up_handle(spmc::job &all, spmc::place channel);

} // namespace saguaro::channels
