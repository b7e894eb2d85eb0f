// SPDX-License-Identifier: MIT
// How a rank waits: it looks, tells others that it is blocked, and sleeps. ../../README.md, "A
// wait".
#include "spmc/waiting.hpp"
#include "mpi/core/clock/order.hpp"
#include "mpi/core/clock/parked_memory.hpp"
#include "mpi/core/clock/work_clock.hpp"
#include "mpi/core/communicators/communicators.hpp"
#include "mpi/core/rank.hpp"
#include "mpi/core/reports/diagnostics.hpp"
#include "mpi/core/reports/order_delays.hpp"
#include "mpi/core/waiting/threads.hpp"
#include "platform/clock.hpp"

#include <cstdio>
#include <string>
#include <utility>

namespace saguaro::mpi {

namespace {

// So long nothing comes, before a rank looks whether anything can: two naps, or more short ones.
constexpr std::int64_t in_vain_before_search_ns = 2 * spmc::sleeper::longest_nap_ns;

// A request of which the caller waits for the end.
class request_event final : public awaited_event {
public:
    request_event(const request_object &what, clock_value least, const char *name)
        : what_(what), least_(least) {
        peer = what.peer;
        receive = what.what == action::receive ? &what : nullptr;
        asks = what.is_wild();
        call = name;
    }

    bool is_over(const clock_bounds &) override { return what_.is_complete; }

    bool describe(blockage &out) const override {
        rank::mine->describe(what_, out);
        out.least = least_;
        return true;
    }

private:
    const request_object &what_;
    const clock_value least_;
};

} // namespace

void rank::wait_for(request_object &what, clock_value least, const char *call) {
    if (what.is_complete)
        return;
    if (what.what == action::joint) {
        for (request_object &part : what.joint->receives)
            wait_for(part, least, call);
        return;
    }
    request_event over(what, least, call);
    wait(over);
}

// By another order than the clock's no receive waits for bounds, and no poll.
bool rank::needs_bounds(const awaited_event &what) const {
    return what.asks_by_any_order || (order::is_by_clock() && (what.asks || wild_ != 0)) ||
           first_held_ != forever;
}

// Whether another rank of this machine was last seen on this processor, and does not sleep: what it
// does there is worth more than looks in vain.
bool rank::is_crowded() const {
    if (!world_.shares_processors())
        return false;
    for (std::uint32_t r = 0; r < size(); ++r) {
        const rank_record &other = world_.rank(r);
        // Relaxed, all: hints, from which nothing follows but how to wait.
        const spmc::slot slot = other.slot.load(std::memory_order_relaxed);
        if (r != me_ && slot != 0 && (other.bell.load(std::memory_order_relaxed) & 1) == 0 &&
            other.life.load(std::memory_order_relaxed) == life::inside && spmc::was_seen_here(slot))
            return true;
    }
    return false;
}

void rank::tell_blocked(const awaited_event &what) {
    why_.clear();
    const bool is_blocked = gate.is_shared() && !what.is_alone ? describe_threads(why_)
                            : forced_ != nullptr ? what.describe_forced(*forced_, why_)
                                                 : what.describe(why_);
    if (is_blocked)
        bounds_.say_blocked(why_, in_);
    else if (gate.is_shared())
        bounds_.say_running(); // another thread's wait may be over
    // It has what it could go on with.
    if ((!is_blocked || why_.candidate < from_outside) && order::is_by_clock())
        held_up::note();
}

bool rank::is_over(awaited_event &what) {
    return forced_ != nullptr ? what.force(*forced_) : what.is_over(known_);
}

// Whether the event is over. `tells`: others may need to know that the rank is blocked.
bool rank::look(awaited_event &what, bool tells) {
    const bool asks = needs_bounds(what);
    needed_ = forever;
    // The bounds first: whatever was sent up to them is read then.
    if (asks)
        learn_bounds();
    poll();
    match(known_);
    if (is_over(what))
        return true;
    if (asks && world_.head().is_asked.load(std::memory_order_relaxed) == 0)
        world_.head().is_asked.store(1, std::memory_order_relaxed);
    if (tells || asks || world_.head().is_asked.load(std::memory_order_relaxed) != 0)
        tell_blocked(what);
    if (!asks)
        return false;
    learn_more_bounds();
    needed_ = forever;
    poll();
    match(known_);
    return is_over(what);
}

// The same, so often that nothing was read which the others have not been told of: they would
// believe that it is still on its way.
bool rank::look_before_sleep(awaited_event &what) {
    unsigned got;
    do {
        const bool asks = needs_bounds(what);
        needed_ = forever;
        if (asks)
            learn_bounds();
        poll();
        match(known_);
        if (is_over(what))
            return true;
        tell_blocked(what);
        if (asks)
            learn_more_bounds();
        got = poll();
        match(known_);
        if (is_over(what))
            return true;
    } while (got != 0);
    return false;
}

// The rank whose message alone ends the wait; `any_rank` if others may, or what they send has to be
// read for a receive that goes first.
std::uint32_t rank::only_source(const awaited_event &what) const {
    const request_object *const r = what.receive;
    if (r == nullptr || needs_bounds(what) || gate.is_shared() || (wild_ != 0 && posted_ != r))
        return any_rank;
    return only_sender(*r);
}

// By another order, or where no bound decides what is waited for, others ring.
std::int64_t rank::longest_nap(naps_until_work &naps) const {
    if (!order::counts_work() || needed_ == forever)
        return spmc::sleeper::longest_nap_ns;
    return naps.next(bounds_.work_expected_at() - platform::now_ns());
}

void rank::sleep(awaited_event &what) {
    rank_record &own = world_.rank(me_);
    // The bell's word changes whenever it is rung, so nothing is missed behind the look.
    const spmc::slot peer =
        what.peer == any_rank ? 0 : world_.rank(what.peer).slot.load(std::memory_order_relaxed);
    const spmc::awaited bell{spmc::wait_kind::message, own.bell, peer, 0};
    spmc::sleeper asleep(bell); // which refers to it
    naps_until_work naps;
    std::int64_t in_vain_ns = 0;
    for (const bool was_shared = gate.is_shared();;) {
        // Relaxed: the heavy fence comes before the last look.
        own.heeds.store(only_source(what) + 1, std::memory_order_relaxed);
        // Before the watchers' bits: whoever takes one away must find a sleeper.
        const std::uint32_t expected = own.bell.fetch_or(1, std::memory_order_seq_cst) | 1;
        const bool asks = needs_bounds(what);
        const clock_value watched = asks ? needed_ : 0;
        if (asks) {
            // Bounds that follow from others' blockages may suffice before the published ones do.
            const clock_value slack = std::uint64_t{size()} * (latency + 2);
            bounds_.watch(needed_ == forever ? forever : needed_ > slack ? needed_ - slack : 0);
        }
        // Pairs with the light fences of those who send and publish: either they see the bit, or
        // the look sees what they did.
        world_.heavy_fence();
        const bool is_over = look_before_sleep(what);
        const std::int64_t most_ns = asks ? longest_nap(naps) : spmc::sleeper::longest_nap_ns;
        // It may have read a message of which the sender waits to be told, or that it could take
        // sooner than what it watches for, and nobody would wake it when that can be: then it goes
        // round and watches anew.
        if (!is_over && asks == needs_bounds(what) && needed_ >= watched) {
            if (!what.is_alone)
                gate.open();
            asleep.nap(expected, most_ns);
            if (!what.is_alone)
                gate.close();
        }
        const bool was_rung =
            (own.bell.fetch_and(~std::uint32_t{1}, std::memory_order_seq_cst) | 1) != expected;
        // Another thread may sleep by the same bit, which nobody rings for any more: it looks anew.
        if (what.is_alone && has_sleeper_)
            spmc::wake_all(own.bell);
        if (is_over || look(what, true) || gate.is_shared() != was_shared)
            return;
        if (held_up::is_too_long()) [[unlikely]]
            look_who_holds_up();
        in_vain_ns = was_rung ? 0 : in_vain_ns + most_ns;
        if (in_vain_ns >= in_vain_before_search_ns)
            look_for_a_deadlock(what);
    }
}

void rank::wait(awaited_event &what) {
    if (gate.is_shared() && !what.is_alone) {
        wait_among_threads(what);
        return;
    }
    const held_up::wait measured(what.call);
    std::vector<int> decided;
    const bool decides = !order::is_by_clock() && what.outcome(decided);
    // A look of this wait may send an answer, which waits for room within it: that is over when
    // there is room, and then this wait goes on with what it must decide.
    const std::vector<int> *const outer =
        std::exchange(forced_, decides ? order::next_outcome(what.call) : nullptr);
    const spmc::slot peer =
        what.peer == any_rank ? 0 : world_.rank(what.peer).slot.load(std::memory_order_relaxed);
    if (!look(what, false)) {
        const std::int64_t began = platform::now_ns();
        if (!spmc::look_for_a_while(peer, [&] { return look(what, false); }, is_crowded()))
            sleep_alone(what);
        const auto took = static_cast<std::uint64_t>(platform::now_ns() - began);
        ++counters.blocked_waits;
        counters.blocked_ns += took;
        counters.order_ns += needs_bounds(what) ? took : 0;
    }
    bounds_.say_running();
    forced_ = outer;
    if (decides && what.outcome(decided))
        order::note_outcome(what.call, decided);
}

// Says which ranks an undecided poll or choice waits for, although they run: -patience.
void rank::look_who_holds_up() {
    parked_vector<std::uint32_t> found;
    for (std::uint32_t r = 0; r < size(); ++r) {
        const rank_record &other = world_.rank(r);
        // Relaxed: for a line alone.
        if (r != me_ && other.is_blocked.load(std::memory_order_relaxed) == 0 &&
            other.life.load(std::memory_order_relaxed) != life::finished &&
            other.bound.load(std::memory_order_relaxed) <= needed_)
            found.push_back(r);
    }
    if (!found.empty())
        held_up::name(found);
}

// Ends the job with a line if no rank can ever go on: all are blocked, with nothing on its way, and
// nobody has a message with which it will go on.
void rank::look_for_a_deadlock(const awaited_event &what) {
    // A thread that computes may let a rank go on whose other threads all wait.
    if (world_.head().has_threads.load(std::memory_order_relaxed) != 0)
        return;
    // The first of those that have not finalized looks, and says it: a snapshot takes a time with
    // the square of the ranks. Not while anybody runs, which each tells in its record.
    for (std::uint32_t r = 0; r < size(); ++r) {
        const rank_record &record = world_.rank(r);
        if (record.life.load(std::memory_order_relaxed) == life::finished)
            continue;
        if (r < me_ || record.is_blocked.load(std::memory_order_relaxed) == 0)
            return;
    }
    bool all_stuck = false;
    bounds_.snapshot(known_, &all_stuck);
    if (!all_stuck)
        return;
    std::string names;
    for (std::uint32_t r = 0; r < size(); ++r) {
        const rank_record &record = world_.rank(r);
        if (record.life.load(std::memory_order_relaxed) == life::finished)
            continue;
        if (names.size() > 600)
            continue;
        names += names.empty() ? "rank " : "; rank ";
        names += std::to_string(r) + " waits for";
        unsigned waited_for = 0;
        for (std::uint32_t s = 0; s < size(); ++s)
            if ((world_.waits_for(record)[s / 64].load(std::memory_order_relaxed) >> (s % 64) &
                 1) != 0) {
                if (++waited_for > 8)
                    continue;
                names += (waited_for == 1 ? " " : " or ") + std::to_string(s);
                if (world_.rank(s).life.load(std::memory_order_relaxed) == life::finished)
                    names += " (which has finalized)";
            }
        if (waited_for > 8)
            names += " or others";
    }
    fail("%s: deadlock, no rank can go on: %s%s", what.call, names.c_str(),
         order::by == order::rule::replay
             ? "; or -order replay has the file of another program, input or number of ranks"
             : "");
}

} // namespace saguaro::mpi
