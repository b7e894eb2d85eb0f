// SPDX-License-Identifier: MIT
// This process as a rank, and a map of the structures of the core.
//
// What all ranks share, in the control area of the job (world/layout.hpp):
//
//   world_record            one: how many ranks there are; free blocks; the next context
//   rank_record             one for each rank: its bound, its bell, why it is blocked, who watches
//   ring                    one for each pair that has sent: records, each a message or its place
//   block                   a ring, or the data of a long message
//
// What each process has of its own:
//
//   process                 (process/process.hpp) this process's rank, and its objects by handles
//    ├─ object tables       requests, communicators, groups, datatypes, windows, files, ...
//    └─ rank                (this file) what MPI's functions call
//        ├─ world           finds what the ranks share: blocks, fences, bells
//        ├─ rank_clock      the rule's clock
//        ├─ known_bounds    below which clocks no message of another rank can come any more
//        │   └─ clock_board     reads the others' bounds, tells this rank's
//        │       ├─ wait_graph      bounds that follow from whom blocked ranks wait for
//        │       └─ work_of_others  bounds that follow from what others compute (-order work)
//        ├─ outbox          the writer's ends of rings: out_ring, one for each rank
//        ├─ inbox           the reader's ends of rings: in_ring, one for each rank
//        ├─ matcher         reads the rings and gives each receive its message
//        │   └─ matching_state
//        │       ├─ posted_receives     request_object -> request_object -> ...
//        │       ├─ parked_messages     of each source: parked_message -> parked_message -> ...
//        │       ├─ synchronous_sends   of each receiver: request_object -> ...
//        │       ├─ match_replies       answers to the synchronous sends of others
//        │       └─ matching_rule       which message is first, and whether that is certain
//        ├─ cancellation    takes matches back that the rule does not know of so far
//        └─ waiter          looks, tells others that the rank is blocked, and sleeps
//            └─ thread_waits    the waits of threads, when several are inside
//
// A message's way: `rank::send` writes a record into `outbox`; the other rank's `matcher` reads it
// from `inbox` and gives it to a posted receive, or parks it; `matching_rule` says when a parked
// one may go to a receive from any source, by `known_bounds`; until then the rank is in `waiter`.
//
// One thread at a time is inside (waiting/threads.hpp). Atomic operations are in the parts that
// share something: world, rings, clock_board, match_replies and waiter.
#pragma once

#include "mpi/core/clock/known_bounds.hpp"
#include "mpi/core/clock/rank_clock.hpp"
#include "mpi/core/matching/cancellation.hpp"
#include "mpi/core/matching/matcher.hpp"
#include "mpi/core/requests/requests.hpp"
#include "mpi/core/rings/inbox.hpp"
#include "mpi/core/rings/outbox.hpp"
#include "mpi/core/tools/counters.hpp"
#include "mpi/core/waiting/awaited_event.hpp"
#include "mpi/core/waiting/waiter.hpp"
#include "mpi/core/world/world.hpp"

#include <cstdint>
#include <vector>

namespace saguaro::mpi {

class rank {
public:
    rank(world of, std::uint32_t me);

    // The process's; `begin` makes it. Null before that.
    static rank *mine;

    std::uint32_t number() const { return me_; }
    std::uint32_t size() const { return world_.size(); }
    world &all() { return world_; }
    std::uint32_t host_of(std::uint32_t which) const { return world_.rank(which).host; }

    rank_counters counters;

    // ---- The clock ----

    clock_value clock() const { return clock_.now(); }
    void tick() { clock_.tick(); }
    void advance_to(clock_value to) { clock_.advance_to(to); }
    // Others may rely on the clock from now on. At the end of each call that has added to it.
    void publish() {
        if (clock_.now() >= matcher_.state().replies.first_held()) [[unlikely]]
            matcher_.state().replies.tell_until(clock_.now());
        bounds_.board.publish(clock_.now());
    }

    // ---- Messages ----

    // Sends a message, which has been sent when this returns. `stamp` is the clock, or in a
    // collective what the message says of clocks. `number` as in `record`.
    void send(std::uint32_t to, context_value context, std::int32_t tag, const typed_buffer &what,
              clock_value stamp, std::uint32_t number = 0);
    // The same message to several others. A large one lies in memory once, for all of them.
    void send_to_all(const std::vector<std::uint32_t> &to, context_value context, std::int32_t tag,
                     const typed_buffer &what, clock_value stamp, std::uint32_t number = 0);
    // Sends and waits to be told when that was matched: `completed` then.
    void send_synchronously(request_object &send);

    // As `matcher` has them.
    void post(request_object &receive) { matcher_.post(receive); }
    bool receive_next(std::uint32_t source, context_value context, std::int32_t tag,
                      const typed_buffer &to, received_message &out) {
        return matcher_.receive_next(source, context, tag, to, out);
    }
    unsigned poll() { return matcher_.poll(); }
    // As `cancellation` has it.
    void cancel(request_object &receive) { cancellation_.cancel(receive); }

    // For events that decide which message they see.
    matcher &matching() { return matcher_; }
    matching_rule &rule() { return matcher_.state().rule; }

    // ---- Waiting, as `waiter` has it ----

    void wait(awaited_event &what) { waiter_.wait(what); }
    void wait_for(request_object &what, clock_value least, const char *call) {
        waiter_.wait_for(what, least, call);
    }
    void wake_threads() { waiter_.wake_threads(); }

    // ---- Its end ----

    // Whether the process may end as it is: it needs no MPI at present.
    void live(bool needs) {
        // Relaxed: it is looked at when the process has ended.
        world_.rank(me_).life.store(needs ? life::inside : life::finished,
                                    std::memory_order_relaxed);
    }
    // After MPI_Finalize: nothing will be sent any more.
    void finish();

private:
    world world_;
    const std::uint32_t me_;
    rank_clock clock_;
    known_bounds bounds_;
    outbox out_;
    inbox in_;
    matcher matcher_;
    cancellation cancellation_;
    waiter waiter_;
};

} // namespace saguaro::mpi
