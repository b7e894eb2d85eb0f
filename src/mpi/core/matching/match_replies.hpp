// SPDX-License-Identifier: MIT
// The answers to other ranks' synchronous sends: which rank is told of which match, and when.
#pragma once

#include "mpi/core/clock/known_bounds.hpp"
#include "mpi/core/clock/parked_memory.hpp"
#include "mpi/core/matching/parked_messages.hpp"
#include "mpi/core/matching/posted_receives.hpp"
#include "mpi/core/rings/outbox.hpp"
#include "mpi/core/world/world.hpp"

#include <cstdint>
#include <vector>

namespace saguaro::mpi {

// To the sender of a synchronous send.
struct match_reply {
    std::uint32_t to;
    context_value context;
    std::uint32_t number;
    clock_value when;
};

// ../../README.md, "Bounds" and "A receive that is cancelled".
class match_replies {
public:
    match_replies(const world &of, std::uint32_t me, outbox &out, known_bounds &bounds,
                  const posted_receives &posted, const parked_messages &parked)
        : world_(of), me_(me), out_(out), bounds_(bounds), posted_(posted), parked_(parked),
          from_(of.capacity()) {}

    // A synchronous send has been read and is parked.
    void note_parked(std::uint32_t source, std::uint32_t number);
    // Whether any synchronous send has been read.
    bool has_synchronous() const { return has_synchronous_; }
    // Other receives are posted than before: what was told of sends that no receive can take may
    // have changed.
    void receives_changed() { has_unmatched_to_tell_ = has_unmatched_to_tell_ || has_synchronous_; }

    // A match that stands.
    void add(const match_reply &what) { replies_.push_back(what); }
    // A match that a cancelled receive may still take back: the sender is told of it when the
    // clock, or the bound of the blocked rank, has come to its time. Others know meanwhile that the
    // message has been read, and when it was matched: they derive the sender's bound from that.
    void hold(const match_reply &what);
    bool is_held(std::uint32_t to, std::uint32_t number) const;
    // The match has been taken back.
    void drop_held(std::uint32_t to, std::uint32_t number);
    // No held match is earlier; `forever`: there is none.
    clock_value first_held() const { return first_held_; }
    // The matches up to this clock stand.
    void tell_until(clock_value bound);
    // The rank is about to look whether it may go on, and may not cancel anything at these bounds.
    void tell(const clock_bounds &known);

    // Tells others what follows from matches. When the list of receives and the queues of messages
    // are consistent, for a reply may have to wait for room, and reads rings meanwhile; and before
    // the clock is published.
    void settle() {
        if (!replies_.empty() || has_unmatched_to_tell_ || has_untold_to_tell_) [[unlikely]]
            settle_now();
    }

    // `first_held` is right, and of each held match the sender counts among those that were read.
    bool is_valid() const;

private:
    void settle_now();
    void send_replies();
    void tell_unmatched(std::uint32_t source);
    void tell_untold(std::uint32_t source);

    const world world_;
    const std::uint32_t me_;
    outbox &out_;
    known_bounds &bounds_;
    const posted_receives &posted_;
    const parked_messages &parked_;

    std::vector<std::uint32_t> from_; // the last number that was read from each rank
    bool has_synchronous_ = false;    // any
    parked_vector<match_reply> replies_;
    parked_vector<match_reply> held_;
    clock_value first_held_ = forever;
    bool has_untold_to_tell_ = false;
    bool has_unmatched_to_tell_ = false;
    bool is_settling_ = false;
};

} // namespace saguaro::mpi
