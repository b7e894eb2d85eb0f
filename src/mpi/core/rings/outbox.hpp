// SPDX-License-Identifier: MIT
// The rings from this rank to all others, and how a message gets into them.
#pragma once

#include "mpi/core/reports/message_trace.hpp"
#include "mpi/core/rings/message.hpp"
#include "mpi/core/rings/rings.hpp"
#include "mpi/core/world/world.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace saguaro::mpi {

// Invariant: between `begin` and `end` the rank does nothing but write the record, so a ring has at
// most one record that is not published.
class outbox {
public:
    outbox(const world &of, std::uint32_t me) : world_(of), me_(me), out_(of.capacity()) {}

    // A record to another rank with room for so many bytes behind its header, which is written.
    // Waits for room if there is none. Null if the other has finalized and reads no more.
    record *begin(const envelope &e, std::uint32_t to, kind what, std::size_t bytes) {
        record *const room = reserve(to, bytes);
        if (room == nullptr) [[unlikely]]
            return nullptr;
        record &r = *room;
        r.context = e.context;
        r.tag = e.tag;
        r.set_bytes(e.bytes);
        r.number = e.number;
        r.what = what;
        if (message_trace::is_on()) [[unlikely]]
            message_trace::note_sent(to, me_, world_.capacity(), e.bytes);
        return room;
    }

    // Publishes it. `is_urgent`: the receiver has to read it, or should, whomever it waits for. It
    // has to answer a synchronous send, and copies a large message while it waits.
    void end(std::uint32_t to, clock_value stamp, bool is_urgent) {
        out_[to].publish(stamp);
        light_fence(world_); // pairs with the heavy fence in `waiter::sleep`
        if (is_urgent)
            world_.ring_bell(to);
        else
            world_.ring_bell_of_message(to, me_);
    }

    // A whole message to one other rank, by a ring if it is short, or else in a block.
    void send(const envelope &e, std::uint32_t to, const typed_buffer &what) {
        if (e.bytes > most_in_ring) {
            send_in_block({&to, 1}, e, what);
            return;
        }
        record *const r = begin(e, to, kind::here, e.bytes);
        if (r == nullptr) [[unlikely]]
            return;
        what.read(r->data(), e.bytes);
        end(to, e.stamp, e.is_synchronous());
    }

    // A message in a block, for some other ranks.
    void send_in_block(std::span<const std::uint32_t> to, const envelope &e,
                       const typed_buffer &what);

private:
    record *reserve(std::uint32_t to, std::size_t bytes) {
        if (!out_[to]) [[unlikely]]
            out_[to] = out_ring(world_, me_, to);
        if (record *const room = out_[to].reserve(world_, bytes)) [[likely]]
            return room;
        return wait_for_room(to, bytes);
    }
    record *wait_for_room(std::uint32_t to, std::size_t bytes);
    void send_block(const envelope &e, std::uint32_t to, block &data);

    world world_;
    const std::uint32_t me_;
    std::vector<out_ring> out_;
};

} // namespace saguaro::mpi
