// SPDX-License-Identifier: MIT
// This process as a rank: its clock, its messages, and how it waits. One thread at a time
// (waiting/threads.hpp).
#pragma once

#include "mpi/core/clock/clock_board.hpp"
#include "mpi/core/requests/requests.hpp"
#include "mpi/core/rings/rings.hpp"
#include "mpi/core/tools/counters.hpp"
#include "mpi/core/world/world.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace saguaro::mpi {

// What a call waits for.
class awaited_event {
public:
    virtual ~awaited_event() = default;

    // Whether it has happened; or, if it asks for bounds, whether it is certain with these, and
    // everything up to them has been read.
    virtual bool is_over(const clock_bounds &known) = 0;

    // How the rank may go on. Of a poll there is nothing to say, which goes on by itself: false.
    virtual bool describe(blockage &out) const = 0;

    // Of a poll or a choice: what was decided, as places of requests or a source. Others: false.
    virtual bool outcome(std::vector<int> &) const { return false; }
    // Decides so, as soon as that is possible: then true. -order replay.
    virtual bool force(const std::vector<int> &) { return false; }
    // What it waits for until that is possible, as `describe`: a poll waits as well.
    virtual bool describe_forced(const std::vector<int> &, blockage &out) const {
        return describe(out);
    }

    bool asks = false;                       // for bounds, by the clock's order
    bool asks_by_any_order = false;          // turns depend on clocks in each of them
    std::uint32_t peer = any_rank;           // the only rank that can end the wait
    const char *call = "";                   // for the line about a deadlock
    bool is_alone = false;                   // no other thread comes in meanwhile
    const request_object *receive = nullptr; // that has to be complete, and nothing else
};

class rank {
public:
    rank(world of, std::uint32_t me);

    // The process's; `begin` makes it. Null before that.
    static rank *mine;

    std::uint32_t number() const { return me_; }
    std::uint32_t size() const { return world_.size(); }
    world &all() { return world_; }
    std::uint32_t host_of(std::uint32_t which) const { return world_.rank(which).host; }

    // ---- The clock ----

    clock_value clock() const { return clock_; }
    void tick() { ++clock_; }
    void advance_to(clock_value to) {
        if (to > clock_)
            clock_ = to;
    }
    // What others may rely on. At the end of each call that has added to the clock.
    void publish() {
        if (clock_ >= first_held_) [[unlikely]]
            tell_matches_until(clock_);
        bounds_.publish(clock_);
    }

    rank_counters counters;

    // ---- Messages ----

    // Sends a message, which has been sent when this returns. `stamp` is the clock, or in a
    // collective what the message says of clocks. `number` as in `record`.
    void send(std::uint32_t to, context_value context, std::int32_t tag, const typed_buffer &what,
              clock_value stamp, std::uint32_t number = 0);

    // The same message to several others. A large one lies in memory once, for all of them.
    void send_to_all(const std::vector<std::uint32_t> &to, context_value context, std::int32_t tag,
                     const typed_buffer &what, clock_value stamp);

    // Posts a receive: `context`, `peer`, `tag`, `buffer` and `posted` are set. It may be complete
    // at once. It must live until it is.
    void post(request_object &receive);

    // What a receive gets that was not posted.
    struct received {
        clock_value stamp;
        std::int32_t tag;
        std::uint64_t bytes;
        int error; // an error class
    };
    // The next message of a source, if it is the one for a named receive and comes soon. False: the
    // receive must be posted.
    bool receive_next(std::uint32_t source, context_value context, std::int32_t tag,
                      const typed_buffer &to, received &out);

    // Sends and waits to be told when that was matched: `completed` then.
    void send_synchronously(request_object &send);

    // Waits until it is over. Reads what comes meanwhile.
    void wait(awaited_event &what);

    // Waits for a request alone, which is the caller's only reason to be blocked. `least` is the
    // clock that the rank will have at least.
    void wait_for(request_object &what, clock_value least, const char *call);

    // ---- The order of messages, for who evaluates ----

    // The receive's message of least stamp and source that has come and fits; null.
    const parked_message *best_for(const request_object &receive) const;
    // Whose message alone can complete it: that of the named source, in a replay that of the
    // recorded one. `any_rank`: others' as well.
    static std::uint32_t only_sender(const request_object &receive);
    // Whether an earlier receive, up to `before` (null: any), that is not decided may take it.
    bool is_contested(const request_object *before, const envelope &e) const;
    // Whether no message that fits can come that is earlier than this.
    bool is_first(const request_object &receive, const envelope &e, const clock_bounds &known);
    // Whether no message that fits arrives at this clock or before, those that have come included.
    bool none_until(const request_object &receive, clock_value until, const clock_bounds &known);
    // Gives each receive its message, if that is certain.
    void match(const clock_bounds &known);
    // Whether the request is complete at this clock; undecided if more has to be known.
    enum class answer { no, yes, undecided };
    answer is_complete_at(const request_object &what, clock_value when, const clock_bounds &known);
    // All messages of the source that have not come have a stamp above this.
    clock_value bound_of(std::uint32_t source, const clock_bounds &known) const;
    // A bound that would decide what is undecided: the rank sleeps until somebody publishes it.
    void wants(clock_value bound);
    // The heads of all messages that have come and that no receive has taken.
    template <class Each>
    void for_each_parked(Each each) const {
        for (const queue &of_source : parked_)
            for (const parked_message *m = of_source.first; m != nullptr; m = m->next)
                each(m->head);
    }
    // Takes a message that has come out of the order, for a matched probe.
    parked_message *take(const parked_message &which);
    // Fills a receive from a message, which is gone then. `settle` comes behind.
    void fill(request_object &receive, parked_message *from);

    // Cancels a receive that is not complete by now, as a test would say.
    void cancel(request_object &receive);
    // Whether a receive is complete only later than now: a cancelled one may take its match back.
    bool is_early(const request_object &receive) const {
        return receive.can_be_taken_back && receive.completed > clock_;
    }

    // Tells others what follows from matches, unless a cancelled receive may take that back. Before
    // the clock is published.
    void settle() {
        if (!replies_.empty() || has_unmatched_to_tell_ || has_untold_to_tell_) [[unlikely]]
            settle_now();
    }

    // What a request that is not complete waits for.
    void describe(const request_object &what, blockage &out) const;

    // Reads what has come. How many messages.
    unsigned poll();

    // A thread has been in the core, and others may wait.
    void stir();

    // Whether the process may end as it is: it needs no MPI at present.
    void live(bool needs) {
        // Relaxed: it is looked at when the process has ended.
        world_.rank(me_).life.store(needs ? life::inside : life::finished,
                                    std::memory_order_relaxed);
    }

    // Behind MPI_Finalize: nothing will be sent any more.
    void finish();

private:
    struct reply;
    unsigned poll_one(std::uint32_t source);
    void arrived(std::uint32_t source, const record &what);
    void was_matched(std::uint32_t by, std::uint32_t number, clock_value when);
    // `data`: the block that has the bytes; or null.
    void copy_and_complete(request_object &to, const envelope &e, const char *bytes,
                           const block *data);
    void deliver(request_object &to, const envelope &e, const char *bytes, const block *data);
    void complete(request_object &receive, const envelope &e, const char *bytes);
    void park(const envelope &e, const char *bytes, block *data);
    const parked_message *first_from(std::uint32_t source, const request_object &receive) const;
    request_object *receive_for(const envelope &e, bool &is_contested);
    void remove_posted(request_object &what);
    void give(parked_message *what);
    void match_posted(const clock_bounds &known);
    void take_back_matches(request_object &of);
    void take_back(request_object &receive);
    void settle_now();
    void send_replies();
    void tell_unmatched(std::uint32_t source);
    void tell_untold(std::uint32_t source);
    void hold_reply(const reply &what);
    void tell_matches_until(clock_value bound);
    void tell_matches(const clock_bounds &known);
    void learn_bounds();
    void learn_more_bounds();
    void learn_unmatched();
    template <class Each>
    bool all_senders(const request_object &receive, Each each) const;

    // Null, both, if the other has finalized and reads no more.
    record *reserve(std::uint32_t to, std::size_t bytes);
    record *begin_record(const envelope &e, std::uint32_t to, kind what, std::size_t bytes);
    void end_record(std::uint32_t to, clock_value stamp, bool is_urgent);
    record *wait_for_room(std::uint32_t to, std::size_t bytes);
    void wake_if_asleep(std::uint32_t of);
    void send_in_block(std::span<const std::uint32_t> to, const envelope &e,
                       const typed_buffer &what);
    void send_block(const envelope &e, std::uint32_t to, block &data);
    void send_to_itself(const envelope &e, const typed_buffer &what);
    bool is_over(awaited_event &what);
    class wait_of_threads;
    struct thread_wait {
        awaited_event &what;
        bool looks_again = false; // it seems to be over
    };
    void wait_among_threads(awaited_event &what);
    void sleep_alone(awaited_event &what);
    bool describe_threads(blockage &out);

    bool needs_bounds(const awaited_event &what) const;
    bool is_crowded() const;
    std::uint32_t only_source(const awaited_event &what) const;
    bool look(awaited_event &what, bool tells);
    bool look_before_sleep(awaited_event &what);
    void sleep(awaited_event &what);
    std::int64_t longest_nap(naps_until_work &naps) const;
    void tell_blocked(const awaited_event &what);
    void look_for_a_deadlock(const awaited_event &what);
    void look_who_holds_up();

    struct queue {
        parked_message *first = nullptr;
        parked_message *last = nullptr;
    };
    // To the sender of a synchronous send.
    struct reply {
        std::uint32_t to;
        context_value context;
        std::uint32_t number;
        clock_value when;
    };
    // Synchronous sends to a rank.
    struct synchronous_sends {
        request_object *first = nullptr; // not matched, in their order
        request_object *last = nullptr;
        std::uint32_t sent = 0; // the last number
        // Up to this one they waited for receives that were to be posted above the receiver's
        // bound, as it was learned just before, unless the ring says that they were matched; or one
        // of them was matched at that time, which the receiver has not told.
        std::uint32_t await_posts = 0;
        clock_value untold = forever;
    };

    world world_;
    std::uint32_t me_;
    clock_value clock_ = 0;
    clock_board bounds_;
    std::vector<out_ring> out_;
    std::vector<in_ring> in_;
    std::vector<queue> parked_;                   // by source
    std::vector<clock_value> last_stamp_;         // of each source's ordinary messages
    std::vector<synchronous_sends> synchronous_;  // to each rank
    std::size_t unmatched_sends_ = 0;             // of these, that are not complete
    std::vector<std::uint32_t> synchronous_from_; // the last number from each
    bool has_synchronous_ = false;                // any
    request_object *posted_ = nullptr;            // receives, in the order of their posting
    request_object **posted_end_ = &posted_;
    parked_vector<reply> replies_; // that a match has still to send
    // Of matches that a cancelled receive may still take back.
    parked_vector<reply> held_replies_;
    clock_value first_held_ = forever; // the least time of these
    bool has_untold_to_tell_ = false;
    bool has_unmatched_to_tell_ = false;
    bool is_settling_ = false;
    unsigned wild_ = 0;           // posted receives from any source
    std::uint64_t wildcards_ = 0; // that were posted

    clock_bounds known_;           // of the present wait
    clock_value needed_ = forever; // a bound that would decide it
    blockage why_;
    const std::vector<int> *forced_ = nullptr; // what it must decide

    std::vector<thread_wait *> waits_; // of threads, if there are several
    bool has_sleeper_ = false;         // one of them
};

} // namespace saguaro::mpi
