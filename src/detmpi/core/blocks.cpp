// SPDX-License-Identifier: MIT
#include "detmpi/core/blocks.hpp"

#include "platform/arch.hpp"

#include <algorithm>
#include <cstring>
#include <sched.h>

namespace saguaro::detmpi {

namespace {

// What a sender copies before it tells: the receiver is so far behind, or a little more.
constexpr std::size_t piece = 32 * 1024;

// The sender may lose its processor, and then this one is of use to others.
constexpr int looks_before_yield = 2000;

} // namespace

void begin_pieces(block &of) {
    // Relaxed: whoever learns of the block does so behind this.
    of.there.store(0, std::memory_order_relaxed);
}

void write_pieces(block &to, const typed_buffer &from, std::size_t size) {
    char *const data = reinterpret_cast<char *>(&to + 1);
    for (std::size_t at = 0; at < size; at += piece) {
        std::memcpy(data + at, from.first() + at, std::min(piece, size - at));
        // Release pairs with the acquire in `await_data`: these bytes are there.
        to.there.store(at + piece, std::memory_order_release);
    }
}

void await_data(const block &in, std::size_t size) {
    // Acquire pairs with the release in `write_pieces`.
    for (int looks = 0; in.there.load(std::memory_order_acquire) < size; ++looks)
        if (looks < looks_before_yield)
            platform::cpu_relax();
        else
            sched_yield();
}

void read_block(const block &from, const typed_buffer &to, std::size_t size) {
    const char *const data = reinterpret_cast<const char *>(&from + 1);
    if (!to.is_contiguous()) {
        await_data(from, size);
        to.write(data, size);
        return;
    }
    for (std::size_t at = 0; at < size; at += piece) {
        const std::size_t end = std::min(at + piece, size);
        await_data(from, end);
        std::memcpy(to.first() + at, data + at, end - at);
    }
}

} // namespace saguaro::detmpi
