// SPDX-License-Identifier: MIT
// How messages come to receives: posting, reading the rings, and giving each receive its message.
#pragma once

#include "mpi/core/clock/known_bounds.hpp"
#include "mpi/core/matching/matching_state.hpp"
#include "mpi/core/rings/inbox.hpp"
#include "mpi/core/tools/counters.hpp"
#include "mpi/core/world/world.hpp"

#include <cstdint>

namespace saguaro::mpi {

// What a receive gets that was not posted.
struct received_message {
    clock_value stamp;
    std::int32_t tag;
    std::uint32_t number;
    std::uint64_t bytes;
    int error; // an error class
};

// Invariant between calls: a message that is parked fits no named receive, unless a receive from
// any source that was posted before it may take the message too.
class matcher {
public:
    matcher(const world &of, std::uint32_t me, const rank_clock &clock, inbox &in, outbox &out,
            known_bounds &bounds, rank_counters &counters)
        : world_(of), me_(me), clock_(clock), in_(in), bounds_(bounds), counters_(counters),
          state_(of, me, out, bounds) {}

    matching_state &state() { return state_; }
    const matching_state &state() const { return state_; }

    // Posts a receive: `context`, `peer`, `tag`, `buffer` and `posted` are set. It may be complete
    // at once. It must live until it is.
    void post(request_object &receive);
    // The next message of a source, if it is the one for a named receive and comes soon. False: the
    // receive must be posted.
    bool receive_next(std::uint32_t source, context_value context, std::int32_t tag,
                      const typed_buffer &to, received_message &out);

    // Reads what has come. How many messages.
    unsigned poll();
    // A message of the rank to itself.
    void send_to_itself(const envelope &e, const typed_buffer &what);

    // Gives each receive its message, if that is certain.
    void match(const clock_bounds &known);
    // The same, although no other bounds are known: other receives are posted than before.
    void match_posted(const clock_bounds &known);

    // Fills a receive from a message, which is gone then. The caller settles the replies
    // afterwards.
    void fill(request_object &receive, parked_message *from);
    // Takes a message that has come out of the order, for a matched probe.
    parked_message *take(const parked_message &which) { return state_.parked.take(which); }
    void settle() { state_.replies.settle(); }
    // each(head) of all messages that have come and that no receive has taken.
    template <class Each>
    void for_each_parked(Each each) const {
        state_.parked.for_each(each);
    }

private:
    unsigned poll_one(std::uint32_t source);
    void arrived(std::uint32_t source, const record &what);
    request_object *receive_for(const envelope &e) const;
    // `data`: the block that has the bytes; or null.
    void deliver(request_object &to, const envelope &e, const char *bytes, const block *data);
    void copy_and_complete(request_object &to, const envelope &e, const char *bytes,
                           const block *data);
    void complete(request_object &receive, const envelope &e, const char *bytes);
    void park(const envelope &e, const char *bytes, block *data);

    world world_;
    const std::uint32_t me_;
    const rank_clock &clock_;
    inbox &in_;
    known_bounds &bounds_;
    rank_counters &counters_;
    matching_state state_;
};

} // namespace saguaro::mpi
