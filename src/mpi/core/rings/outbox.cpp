// SPDX-License-Identifier: MIT
// How a sender waits for room in a ring, and messages in blocks.
#include "mpi/core/rings/outbox.hpp"

#include "mpi/core/rank.hpp"
#include "mpi/core/rings/blocks.hpp"

#include <cstring>

namespace saguaro::mpi {

namespace {

// Room behind the records that the other has left unread, or its end.
class room_event final : public awaited_event {
public:
    room_event(const world &of, out_ring &out, std::uint32_t to, std::size_t bytes)
        : of_(of), out_(out), bytes_(bytes) {
        peer = to;
        call = "MPI_Send";
        is_alone = true; // the caller has begun something that is not consistent
    }

    bool is_over(const clock_bounds &) override {
        found = out_.reserve(of_, bytes_);
        return found != nullptr ||
               of_.rank(peer).life.load(std::memory_order_relaxed) == life::finished;
    }

    // It goes on as soon as the other reads, whatever that waits for.
    bool describe(blockage &) const override { return false; }

    record *found = nullptr;

private:
    const world &of_;
    out_ring &out_;
    const std::size_t bytes_;
};

} // namespace

// The other has left a million messages unread. The rank reads its own rings meanwhile, so ranks
// that send to each other and receive later get on.
record *outbox::wait_for_room(std::uint32_t to, std::size_t bytes) {
    wake_if_asleep(world_, to); // it may heed others
    room_event room(world_, out_[to], to, bytes);
    rank::mine->wait(room);
    return room.found;
}

// In pieces if there is one receiver, which has a processor of its own to copy on: where ranks
// share processors, a receiver that learns of the message early takes the sender's. Of several the
// first would wait for data while the sender waits for room in the ring of another. Not across
// machines: a carrier waits for no rank.
void outbox::send_in_block(std::span<const std::uint32_t> to, const envelope &e,
                           const typed_buffer &what) {
    const bool in_pieces = e.bytes >= least_in_pieces && to.size() == 1 && what.is_contiguous() &&
                           !world_.shares_processors() && world_.head().hosts == 1;
    block &data = world_.take_block(e.bytes);
    if (in_pieces)
        begin_pieces(data);
    else
        what.read(data.data(), e.bytes);
    // Relaxed: the records that name it are published after this. In pieces the sender counts as
    // well.
    data.readers.store(static_cast<std::uint32_t>(to.size()) + (in_pieces ? 1 : 0),
                       std::memory_order_relaxed);
    for (const std::uint32_t each : to)
        send_block(e, each, data);
    if (in_pieces) {
        write_pieces(data, what, e.bytes);
        world_.give_block(data);
    }
}

void outbox::send_block(const envelope &e, std::uint32_t to, block &data) {
    record *const r = begin(e, to, kind::block, sizeof(place));
    if (r == nullptr) {
        world_.give_block(data);
        return;
    }
    const place where = world_.job().place_of(&data);
    std::memcpy(r->data(), &where, sizeof(where));
    end(to, e.stamp, true);
}

} // namespace saguaro::mpi
