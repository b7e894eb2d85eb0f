// SPDX-License-Identifier: MIT
// This process as a rank: its clock, its messages, and how it waits. One thread at a time.
#pragma once

#include "detmpi/core/clock_board.hpp"
#include "detmpi/core/requests.hpp"
#include "detmpi/core/rings.hpp"
#include "detmpi/core/world.hpp"

#include <cstdint>
#include <vector>

namespace saguaro::detmpi {

// What a call waits for.
class awaited_event {
public:
    virtual ~awaited_event() = default;

    // Whether it has happened; or, if `asks` is true, whether it is certain with these bounds, and
    // everything up to them has been read.
    virtual bool is_over(const clock_bounds &known) = 0;

    // How the rank may go on. Of a poll there is nothing to say, which goes on by itself: false.
    virtual bool describe(blockage &out) const = 0;

    bool asks = false;             // for bounds
    std::uint32_t peer = any_rank; // the only rank that can end the wait
    const char *call = "";         // for the line about a deadlock
};

class rank {
public:
    rank(world of, std::uint32_t me);

    // The process's; `begin` makes it. Null before that.
    static rank *mine;

    std::uint32_t number() const { return me_; }
    std::uint32_t size() const { return world_.size(); }
    world &all() { return world_; }

    // ---- The clock ----

    clock_value clock() const { return clock_; }
    void tick() { ++clock_; }
    void advance_to(clock_value to) {
        if (to > clock_)
            clock_ = to;
    }
    // What others may rely on. At the end of each call that has added to the clock.
    void publish() { bounds_.publish(clock_); }

    // ---- Messages ----

    // Sends a message, which has been sent when this returns. `stamp` is the clock, or in a
    // collective what the message says of clocks. `number` as in `record`.
    void send(std::uint32_t to, std::uint32_t context, std::int32_t tag, const typed_buffer &what,
              clock_value stamp, std::uint32_t number = 0);

    // The same message to several others. A large one lies in memory once, for all of them.
    void send_to_all(const std::vector<std::uint32_t> &to, std::uint32_t context, std::int32_t tag,
                     const typed_buffer &what, clock_value stamp);

    // Posts a receive: `context`, `peer`, `tag`, `buffer` and `posted` are set. It may be complete
    // at once. It must live until it is.
    void post(request_object &receive);

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
    // Takes a message that has come out of the order, for a matched probe.
    parked_message *take(const parked_message &which);
    // Fills a receive from a message, which is gone then.
    void fill(request_object &receive, parked_message *from);

    // What a request that is not complete waits for.
    void describe(const request_object &what, blockage &out) const;

    // Reads what has come. How many messages.
    unsigned poll();

    // Behind MPI_Finalize: nothing will be sent any more.
    void finish();

private:
    unsigned poll_one(std::uint32_t source);
    void arrived(std::uint32_t source, const record &what);
    void was_matched(std::uint32_t by, std::uint32_t number, clock_value when);
    void deliver(request_object &to, const envelope &e, const char *bytes);
    void complete(request_object &receive, const envelope &e);
    void park(const envelope &e, const char *bytes, block *data);
    const parked_message *first_from(std::uint32_t source, const request_object &receive) const;
    request_object *receive_for(const envelope &e, bool &is_contested);
    void remove_posted(request_object &what);
    void give(parked_message *what);
    void tell_unmatched();
    clock_value bound_of(std::uint32_t source, const clock_bounds &known) const;
    void wants(clock_value bound);
    template <class Each>
    bool all_senders(const request_object &receive, Each each) const;

    record &reserve(std::uint32_t to, std::size_t bytes);
    record &begin_record(const envelope &e, std::uint32_t to, kind what, std::size_t bytes);
    void end_record(std::uint32_t to, clock_value stamp);
    void send_block(const envelope &e, std::uint32_t to, block &data);
    void send_to_itself(const envelope &e, const typed_buffer &what);
    bool look(awaited_event &what, bool tells);
    bool look_before_sleep(awaited_event &what);
    void sleep(awaited_event &what);
    void tell_blocked(const awaited_event &what);
    void look_for_a_deadlock(const awaited_event &what);

    struct queue {
        parked_message *first = nullptr;
        parked_message *last = nullptr;
    };

    world world_;
    std::uint32_t me_;
    clock_value clock_ = 0;
    clock_board bounds_;
    std::vector<out_ring> out_;
    std::vector<in_ring> in_;
    std::vector<queue> parked_;                   // by source
    std::vector<clock_value> last_stamp_;         // of each source's ordinary messages
    std::vector<std::uint32_t> synchronous_to_;   // how many were sent to each rank
    std::vector<std::uint32_t> synchronous_from_; // the last number from each
    bool has_synchronous_ = false;                // any
    request_object *posted_ = nullptr;            // receives, in the order of their posting
    request_object **posted_end_ = &posted_;
    request_object *synchronous_ = nullptr; // sends
    bool is_polling_ = false;
    unsigned wild_ = 0; // posted receives from any source
    std::uint64_t arrivals_ = 0;

    clock_bounds known_;           // of the present wait
    clock_value needed_ = forever; // a bound that would decide it
    blockage why_;
};

} // namespace saguaro::detmpi
