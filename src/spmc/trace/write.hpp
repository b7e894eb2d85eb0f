// SPDX-License-Identifier: MIT
// The file of SAGUARO_TRACE: what all spaces have noted, put in order by the root.
//
// It is written while the process ends, perhaps in a signal handler that found a broken rule, where
// any lock of the heap or of stdio may be held: so all memory comes from the kernel.
#pragma once

#include "spmc/job.hpp"
#include "spmc/lines.hpp"
#include "spmc/trace/layout.hpp"

#include <cstdint>
#include <cstdio>
#include <span>
#include <sys/types.h>

namespace saguaro::spmc::trace {

struct file {
    int descriptor = -1;
    dev_t device = 0;
    ino_t number = 0;
    bool is_picture = false;
};

// Whether the descriptor is still the file: a program may close all descriptors and open others.
bool is_still_the_file(const file &to);

// Writes the file. Says a line if it cannot, and returns false, or if events were dropped.
bool write_file(const job &all, const file &to);

// ---- For the two forms ----

// A space, in the order of a walk through the tree of spaces.
struct row {
    slot which;
    const log *noted;
    std::int64_t begin;
    std::int64_t end;
};

// A channel, by the space that made it and its number among that one's: names that are the same in
// each run.
struct known_channel {
    place where;
    std::uint32_t row;
    std::uint64_t number;
};

// A message of one consumer.
struct arrow {
    std::uint32_t channel; // index; of no channel: `creation`
    std::uint32_t from;    // rows
    std::uint32_t to;
    std::uint32_t consumer;
    std::uint64_t number;
    std::uint64_t bytes;
    std::int64_t sent;
    std::int64_t received;
};
inline constexpr std::uint32_t creation = ~std::uint32_t{0};

struct picture {
    const job *all;
    std::span<row> rows;
    std::span<known_channel> channels;       // in the order of rows and numbers
    std::span<const std::uint32_t> by_place; // their indices, in the order of places
    std::span<arrow> arrows;                 // in the order of channels, numbers and consumers
    std::uint64_t dropped;
    std::int64_t begin;
    std::int64_t end;
};

// "channel 2 of space 0.1".
using channel_text = char[name_bytes + 64];
const char *name_channel(const picture &p, std::uint32_t channel, channel_text &text);

// The index of a channel; `creation` if the event of its making was dropped.
std::uint32_t channel_at(const picture &p, place where);

// The index of a space's row; the number of rows if it has none.
std::uint32_t row_of(const picture &p, slot which);

// Calls visit(event) for the complete events of a strand, in order.
template <class Visit>
void for_each(const job &all, const strand &s, Visit visit) {
    // Relaxed: each event says itself that it is complete.
    const std::uint64_t used = s.used.load(std::memory_order_relaxed);
    for (std::uint64_t i = 0; i < used && i < most_events; ++i) {
        const place chunk = s.chunks[i / chunk_events].load(std::memory_order_relaxed);
        if (chunk == 0)
            continue;
        const event &e = all.at<const event>(chunk)[i % chunk_events];
        // Acquire pairs with the release in `note`: the rest of the event.
        if (e.what.load(std::memory_order_acquire) != kind::none)
            visit(e);
    }
}

// A file that is written through a buffer. That one is the caller's: a signal handler's stack may
// be small.
class output {
public:
    output(int descriptor, std::span<char> buffer) : descriptor_(descriptor), buffer_(buffer) {}
    ~output() { flush(); }

    output(const output &) = delete;
    output &operator=(const output &) = delete;

    [[gnu::format(printf, 2, 3)]] void put(const char *format, ...);
    void flush();

    // The error number of the first write that failed; 0: none has.
    int error() const { return error_; }

private:
    const int descriptor_;
    const std::span<char> buffer_; // of more than the longest `put`, 1024
    int error_ = 0;
    std::size_t used_ = 0;
};

void write_json(output &to, const picture &p);
void write_svg(output &to, const picture &p);

} // namespace saguaro::spmc::trace
