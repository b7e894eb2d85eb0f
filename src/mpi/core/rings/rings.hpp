// SPDX-License-Identifier: MIT
// The two ends of the records from one rank to another: ../../README.md, "A ring".
#pragma once

#include "mpi/core/world/world.hpp"

#include <cstddef>
#include <cstdint>

namespace saguaro::mpi {

// The writer's end.
class out_ring {
public:
    out_ring() = default;
    // Makes the ring.
    out_ring(const world &of, std::uint32_t writer, std::uint32_t reader);

    // A record with room for so many bytes of data, `most_in_ring` at most. Null when the reader
    // has left so much unread that the ring may grow no further.
    record *reserve(const world &of, std::size_t bytes);

    // The reader may read it. Its header and data have been written.
    void publish(clock_value stamp);

    explicit operator bool() const { return ring_ != nullptr; }

private:
    record &cell(std::uint64_t number) const { return ring_->first[number & mask_]; }
    bool has_room(std::uint32_t cells);
    bool grow(const world &of);

    std::uint32_t reader_ = 0;
    std::uint32_t reserved_ = 0;
    ring *ring_ = nullptr;
    std::uint64_t mask_ = 0;
    std::uint64_t written_ = 0; // cells
    std::uint64_t left_ = 0;    // by the reader, as it was last seen
};

// The reader's end.
class in_ring {
public:
    // The next record; null if there is none so far.
    const record *next(const world &of, std::uint32_t reader, std::uint32_t writer);

    // It has read the record that `next` returned. True: the writer has been told that there is
    // room, for which it may wait.
    bool done(const record &read);

    // What others can tell a rank by that has read all: `is_read`.
    std::uint64_t position(const world &of) const;

    // Whether nothing follows at a position that the reader has published.
    static bool is_read(const world &of, std::uint32_t reader, std::uint32_t writer,
                        std::uint64_t position);

private:
    const record *go_on(const world &of, const record &at);

    ring *ring_ = nullptr;
    std::uint64_t mask_ = 0;
    std::uint64_t read_ = 0; // cells
    std::uint64_t told_ = 0; // of these, as the writer knows
};

} // namespace saguaro::mpi
