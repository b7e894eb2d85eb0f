// SPDX-License-Identifier: MIT
// Copying a long message into its block and out of it, piece by piece.
#include "mpi/core/rings/blocks.hpp"

#include "platform/arch.hpp"

#include <algorithm>
#include <cstring>
#include <sched.h>
#include <unistd.h>

namespace saguaro::mpi {

namespace {

// What a sender copies before it tells: the receiver is so far behind, or a little more.
constexpr std::size_t piece = 32 * 1024;

// The sender may lose its processor, and then this one is of use to others; or it waits for a page
// of its buffer.
constexpr int looks_before_yield = 2000;
constexpr int looks_before_nap = 4000;
constexpr unsigned nap_us = 50;

// A receiver's looks at one message.
class looker {
public:
    explicit looker(const block &at) : at_(at) {}

    bool has(std::size_t size) const {
        // Acquire pairs with the release in `write_pieces`.
        return at_.there.load(std::memory_order_acquire) >= size;
    }
    void await(std::size_t size) {
        while (!has(size))
            pause();
    }

private:
    void pause() {
        if (looks_ == looks_before_nap) {
            usleep(nap_us);
            return;
        }
        ++looks_;
        if (looks_ < looks_before_yield)
            platform::cpu_relax();
        else
            sched_yield();
    }

    const block &at_;
    int looks_ = 0;
};

} // namespace

void begin_pieces(block &of) {
    // Relaxed: whoever learns of the block does so behind this.
    of.there.store(0, std::memory_order_relaxed);
}

void write_pieces(block &to, const typed_buffer &from, std::size_t size) {
    for (std::size_t at = 0; at < size; at += piece) {
        std::memcpy(to.data() + at, from.first() + at, std::min(piece, size - at));
        // Release pairs with the acquire in `looker::has`: these bytes are there.
        to.there.store(at + piece, std::memory_order_release);
    }
}

void await_data(const block &in, std::size_t size) {
    looker(in).await(size);
}

void read_block(const block &from, const typed_buffer &to, std::size_t size) {
    looker looks(from);
    if (looks.has(size) || !to.is_contiguous()) {
        looks.await(size);
        to.write(from.data(), size);
        return;
    }
    for (std::size_t at = 0; at < size; at += piece) {
        const std::size_t end = std::min(at + piece, size);
        looks.await(end);
        std::memcpy(to.first() + at, from.data() + at, end - at);
    }
}

} // namespace saguaro::mpi
