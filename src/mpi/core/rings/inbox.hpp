// SPDX-License-Identifier: MIT
// The rings from all other ranks to this one.
#pragma once

#include "mpi/core/reports/message_trace.hpp"
#include "mpi/core/rings/rings.hpp"
#include "mpi/core/world/world.hpp"

#include <cstdint>
#include <vector>

namespace saguaro::mpi {

// Invariant: each record that `next` returns is read and then given to `done` before the next one.
class inbox {
public:
    inbox(const world &of, std::uint32_t me) : world_(of), me_(me), in_(of.capacity()) {}

    // The next record of that rank, unread; null if there is none so far.
    const record *next(std::uint32_t source) { return in_[source].next(world_, me_, source); }
    // The rank is about to read that record.
    void note_read(std::uint32_t source, const record &which) const {
        if (message_trace::is_on()) [[unlikely]]
            message_trace::note_received(source, me_, world_.capacity(), which.bytes());
    }
    // It has read the record. The sender may wait for the room that has become free.
    void done(std::uint32_t source, const record &which) {
        if (in_[source].done(which)) [[unlikely]]
            wake_if_asleep(world_, source);
    }

    // Whether that rank has published nothing that is unread.
    bool is_read(std::uint32_t source) const {
        return in_ring::is_read(world_, me_, source, in_[source].position(world_));
    }

    // By source: how far they have been read.
    const std::vector<in_ring> &rings() const { return in_; }

private:
    const world world_;
    const std::uint32_t me_;
    std::vector<in_ring> in_;
};

} // namespace saguaro::mpi
