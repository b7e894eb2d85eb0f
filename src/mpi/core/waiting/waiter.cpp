// SPDX-License-Identifier: MIT
// How a rank looks for what it waits for, and sleeps. ../../README.md, "A wait".
#include "mpi/core/waiting/waiter.hpp"

#include "mpi/core/clock/order.hpp"
#include "mpi/core/clock/parked_memory.hpp"
#include "mpi/core/reports/order_delays.hpp"
#include "mpi/core/waiting/deadlock.hpp"
#include "mpi/core/waiting/threads.hpp"
#include "platform/clock.hpp"
#include "spmc/waiting.hpp"

#include <utility>

namespace saguaro::mpi {

namespace {

// Nothing comes for this long before a rank looks whether anything can: two naps, or more short
// ones.
constexpr std::int64_t in_vain_before_search_ns = 2 * spmc::sleeper::longest_nap_ns;

// A request of which the caller waits for the end.
class request_event final : public awaited_event {
public:
    request_event(const matching_rule &rule, const request_object &what, clock_value least,
                  const char *name)
        : rule_(rule), what_(what), least_(least) {
        peer = what.peer;
        receive = what.what == action::receive ? &what : nullptr;
        asks = what.is_wild();
        call = name;
    }

    bool is_over(const clock_bounds &) override { return what_.is_complete; }

    bool describe(blockage &out) const override {
        rule_.describe(what_, out);
        out.least = least_;
        return true;
    }

private:
    const matching_rule &rule_;
    const request_object &what_;
    const clock_value least_;
};

} // namespace

waiter::waiter(const world &of, std::uint32_t me, const inbox &in, known_bounds &bounds,
               matcher &match, rank_counters &counters)
    : world_(of), me_(me), in_(in), bounds_(bounds), matcher_(match), state_(match.state()),
      counters_(counters) {
    // Waits, which depend on who is faster, should not take memory of the program's.
    why_.reserve(of.capacity());
}

void waiter::wait_for(request_object &what, clock_value least, const char *call) {
    if (what.is_complete)
        return;
    if (what.what == action::joint) {
        for (request_object &part : what.joint->receives)
            wait_for(part, least, call);
        return;
    }
    request_event over(state_.rule, what, least, call);
    wait(over);
}

// By another order than the clock's no receive waits for bounds, and no poll.
bool waiter::needs_bounds(const awaited_event &what) const {
    return what.asks_by_any_order ||
           (order::is_by_clock() && (what.asks || state_.posted.has_wild())) ||
           state_.replies.first_held() != forever;
}

// Whether another rank of this machine was last seen on this processor, and does not sleep: what it
// does there is worth more than looks in vain.
bool waiter::is_crowded() const {
    if (!world_.shares_processors())
        return false;
    for (std::uint32_t r = 0; r < world_.size(); ++r) {
        const rank_record &other = world_.rank(r);
        // Relaxed, all: hints, from which nothing follows but how to wait.
        const spmc::slot slot = other.slot.load(std::memory_order_relaxed);
        if (r != me_ && slot != 0 && (other.bell.load(std::memory_order_relaxed) & 1) == 0 &&
            other.life.load(std::memory_order_relaxed) == life::inside && spmc::was_seen_here(slot))
            return true;
    }
    return false;
}

void waiter::tell_blocked(const awaited_event &what) {
    why_.clear();
    if (told_call_of_ != &what) {
        told_call_of_ = &what;
        tell_call(world_, me_, what);
    }
    const bool is_blocked = gate.is_shared() && !what.is_alone
                                ? threads_.describe(bounds_.known(), why_)
                            : forced_ != nullptr ? what.describe_forced(*forced_, why_)
                                                 : what.describe(why_);
    if (is_blocked)
        bounds_.board.say_blocked(why_, in_.rings());
    else if (gate.is_shared())
        bounds_.board.say_running(); // another thread's wait may be over
    // It has what it could go on with.
    if ((!is_blocked || why_.candidate < from_outside) && order::is_by_clock())
        order_delays::note();
}

// Before the rings are read: they have whatever was sent up to these bounds.
void waiter::learn_bounds() {
    bounds_.read();
    state_.sends.learn();
}

// The same, with bounds that follow from others' blockages and work.
void waiter::learn_more_bounds() {
    bounds_.derive();
    state_.sends.learn();
}

// Reads and matches what has come, and returns whether the event is over.
bool waiter::read(awaited_event &what, bool asks) {
    bounds_.want_nothing();
    // The bounds first: whatever was sent up to them is read then.
    if (asks)
        learn_bounds();
    matcher_.poll();
    matcher_.match(bounds_.known());
    return is_over(what);
}

// Whether the event is over. `tells`: others may need to know that the rank is blocked.
bool waiter::look(awaited_event &what, bool tells) {
    const bool asks = needs_bounds(what);
    if (read(what, asks))
        return true;
    if (asks && world_.head().is_asked.load(std::memory_order_relaxed) == 0)
        world_.head().is_asked.store(1, std::memory_order_relaxed);
    if (tells || asks || world_.head().is_asked.load(std::memory_order_relaxed) != 0)
        tell_blocked(what);
    if (!asks)
        return false;
    learn_more_bounds();
    return read(what, false);
}

// The same, so often that nothing was read which the others have not been told of: they would
// believe that it is still on its way.
bool waiter::look_before_sleep(awaited_event &what) {
    unsigned got;
    do {
        const bool asks = needs_bounds(what);
        if (read(what, asks))
            return true;
        tell_blocked(what);
        if (asks)
            learn_more_bounds();
        got = matcher_.poll();
        matcher_.match(bounds_.known());
        if (is_over(what))
            return true;
    } while (got != 0);
    return false;
}

// The rank whose message alone ends the wait; `any_rank` if others may, or what they send has to be
// read for a receive that goes first.
std::uint32_t waiter::only_source(const awaited_event &what) const {
    const request_object *const r = what.receive;
    if (r == nullptr || needs_bounds(what) || gate.is_shared() ||
        (state_.posted.has_wild() && state_.posted.first() != r))
        return any_rank;
    return matching_rule::only_sender(*r);
}

// By another order, or where no bound decides what is waited for, others ring.
std::int64_t waiter::longest_nap(naps_until_work &naps) const {
    if (!order::counts_work() || bounds_.needed() == forever)
        return spmc::sleeper::longest_nap_ns;
    return naps.next(bounds_.board.work_expected_at() - platform::now_ns());
}

void waiter::sleep(awaited_event &what) {
    rank_record &own = world_.rank(me_);
    // The bell's word changes whenever it is rung, so nothing is missed after the look.
    const spmc::slot peer =
        what.peer == any_rank ? 0 : world_.rank(what.peer).slot.load(std::memory_order_relaxed);
    const spmc::awaited bell{spmc::wait_kind::message, own.bell, peer, 0};
    spmc::sleeper asleep(bell); // which refers to it
    naps_until_work naps;
    std::int64_t in_vain_ns = 0;
    for (const bool was_shared = gate.is_shared();;) {
        // Relaxed: the heavy fence comes before the last look.
        own.heeds.store(only_source(what) + 1, std::memory_order_relaxed);
        // Before the watchers' bits: a rank that takes one away must find a sleeper.
        const std::uint32_t expected = own.bell.fetch_or(1, std::memory_order_seq_cst) | 1;
        const bool asks = needs_bounds(what);
        const clock_value watched = asks ? bounds_.needed() : 0;
        if (asks) {
            // Bounds that follow from others' blockages may suffice before the published ones do.
            const clock_value slack = std::uint64_t{world_.size()} * (latency + 2);
            const clock_value needed = bounds_.needed();
            bounds_.board.watch(needed == forever ? forever : needed > slack ? needed - slack : 0);
        }
        // Pairs with the light fences of those who send and publish: either they see the bit, or
        // the look sees what they did.
        heavy_fence(world_);
        const bool is_over = look_before_sleep(what);
        const std::int64_t most_ns = asks ? longest_nap(naps) : spmc::sleeper::longest_nap_ns;
        // It may have read a message of which the sender waits to be told, or that it could take
        // sooner than what it watches for, and no rank would wake it when that can be: then it goes
        // round and watches anew.
        if (!is_over && asks == needs_bounds(what) && bounds_.needed() >= watched) {
            if (!what.is_alone)
                gate.open();
            asleep.nap(expected, most_ns);
            if (!what.is_alone)
                gate.close();
        }
        const bool was_rung =
            (own.bell.fetch_and(~std::uint32_t{1}, std::memory_order_seq_cst) | 1) != expected;
        // Another thread may sleep by the same bit, which no rank rings for any more: it looks
        // anew.
        if (what.is_alone && threads_.has_sleeper())
            spmc::wake_all(own.bell);
        if (is_over || look(what, true) || gate.is_shared() != was_shared)
            return;
        if (order_delays::is_too_long()) [[unlikely]]
            name_delaying_ranks();
        in_vain_ns = was_rung ? 0 : in_vain_ns + most_ns;
        if (in_vain_ns >= in_vain_before_search_ns)
            look_for_a_deadlock(world_, me_, bounds_, what.call);
    }
}

void waiter::wait(awaited_event &what) {
    if (gate.is_shared() && !what.is_alone) {
        threads_.wait(*this, what);
        return;
    }
    const order_delays::wait measured(what.call);
    told_call_of_ = nullptr; // another event may have had this one's address
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
            threads_.sleep_alone(*this, what);
        const auto took = static_cast<std::uint64_t>(platform::now_ns() - began);
        ++counters_.blocked_waits;
        counters_.blocked_ns += took;
        counters_.order_ns += needs_bounds(what) ? took : 0;
    }
    bounds_.board.say_running();
    forced_ = outer;
    if (decides && what.outcome(decided))
        order::note_outcome(what.call, decided);
}

// Says which ranks an undecided poll or choice waits for, although they run: -patience.
void waiter::name_delaying_ranks() const {
    parked_vector<std::uint32_t> found;
    for (std::uint32_t r = 0; r < world_.size(); ++r) {
        const rank_record &other = world_.rank(r);
        // Relaxed: for a line alone.
        if (r != me_ && other.is_blocked.load(std::memory_order_relaxed) == 0 &&
            other.life.load(std::memory_order_relaxed) != life::finished &&
            other.bound.load(std::memory_order_relaxed) <= bounds_.needed())
            found.push_back(r);
    }
    if (!found.empty())
        order_delays::name(found);
}

} // namespace saguaro::mpi
