// SPDX-License-Identifier: MIT
// The notes of spaces for SAGUARO_TRACE, as they lie in the control area (spmc/layout.hpp).
#pragma once

#include "spmc/layout.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace saguaro::spmc::trace {

enum class kind : std::uint32_t {
    none, // not complete: its space was killed while it noted it, or does so now
    begin,
    end,
    create, // of another space
    channel,
    send,
    close,
    receive,
    fix,
    extend,
    // Waits: whether there is one depends on who is faster.
    wait_message,
    wait_room,
    wait_page,
    wait_grant,
    wait_end,
};

inline constexpr bool is_wait(kind what) {
    return what >= kind::wait_message;
}

struct event {
    std::int64_t time;   // CLOCK_MONOTONIC, ns
    std::int64_t until;  // a wait: when it was over
    std::uint64_t count; // a message: its number; a channel: its number among those of its space
    std::uint64_t bytes; // of a message, or of pages
    std::uint64_t where; // pages: their address
    std::uint32_t of;    // a channel's place, or a space's slot
    std::uint32_t consumer;
    std::atomic<kind> what; // stored last
};

// The memory of events comes in chunks, as it is needed. A space notes so many at most, and as many
// waits.
inline constexpr std::uint32_t chunk_events = 1024;
inline constexpr std::uint32_t most_chunks = 256;
inline constexpr std::uint32_t most_events = chunk_events * most_chunks;

// Events in the order in which they were noted. Waits have a strand of their own, so that what is
// dropped when a strand is full does not depend on who was faster.
struct strand {
    std::atomic<std::uint64_t> used; // also those that there was no room for
    std::atomic<std::uint64_t> lost; // of the first `most_events`: there was no memory
    std::atomic<place> chunks[most_chunks];
};

// What one space has noted.
struct log {
    strand events;
    strand waits;
    std::atomic<std::uint32_t> channels; // that it has made
};

} // namespace saguaro::spmc::trace
