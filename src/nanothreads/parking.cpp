// SPDX-License-Identifier: MIT
// Counting idle processors and holds, putting processors to sleep, waking them, ending the run.
#include "nanothreads/parking.hpp"

#include "platform/futex.hpp"
#include "platform/idle_threads.hpp"

namespace saguaro::nanothreads {

namespace {

// Takes one from the lower half of `count` unless that is 0. Acquire and release: the processor
// that is last to become idle sees what all others did before they did, through a chain of changes
// of the count.
template <class Count>
bool take_one(std::atomic<Count> &count) {
    Count seen = count.load(std::memory_order_relaxed);
    while (static_cast<std::uint32_t>(seen) != 0)
        if (count.compare_exchange_weak(seen, seen - 1, std::memory_order_acq_rel,
                                        std::memory_order_relaxed))
            return true;
    return false;
}

} // namespace

parking::found parking::count_idle() {
    // Acquire and release as above; acquire pairs with the release in `release_hold`, too: if the
    // last hold is gone, what arrived by it is seen below. Sequentially consistent: pairs, by the
    // fence that follows, with the look in `any_idle` after a push.
    if (counts_.fetch_add(1, std::memory_order_seq_cst) + 1 != processors_)
        return found::counted;
    // All are idle and there is no hold. Nobody but this processor changes the counts now, and
    // nothing arrives. A look before the count would be worth nothing: what arrived could be taken
    // by another processor, and something else arrive, and the counts be the same again.
    if (any_arrived()) {
        counts_.fetch_sub(1, std::memory_order_acq_rel); // as above
        return found::arrived;
    }
    end(processors_ - 1);
    return found::end;
}

void parking::stay_awake() {
    // Relaxed: the exchange decides.
    std::uint64_t seen = counts_.load(std::memory_order_relaxed);
    while (idle_of(seen) != 0 && seen != processors_)
        if (counts_.compare_exchange_weak(seen, seen - 1, std::memory_order_acq_rel,
                                          std::memory_order_relaxed))
            return;
    // Somebody has just taken this processor off the count, and the ticket is on its way. Or all
    // are idle and there is no hold: whoever made it so acts alone. It ends the run or wakes one
    // with a ticket, or it is a processor that runs what has arrived; this one stays counted then.
    sleep_until_woken();
}

void parking::sleep_until_woken() {
    platform::begin_to_idle();
    while (!take_one(tickets_))
        platform::futex_wait(tickets_, 0);
}

void parking::wake_one() {
    if (!take_one(counts_))
        return;
    platform::end_idling();
    // Release: pairs with take_one of who is woken.
    tickets_.fetch_add(1, std::memory_order_release);
    platform::futex_wake(tickets_, 1);
}

void parking::end(unsigned others) {
    // Release pairs with the acquire in `over`: the end is known to all who take a ticket.
    over_.store(true, std::memory_order_release);
    // Each of them sleeps, or is about to and will take its ticket.
    platform::end_idling(others);
    tickets_.fetch_add(others, std::memory_order_release);
    platform::futex_wake(tickets_, platform::everybody);
}

bool parking::arrive(thread *t) {
    if (t != nullptr) {
        // Relaxed, the load and the failed exchange: only the exchange decides. Release pairs with
        // the acquire in `take_arrived`: the thread is as the caller left it.
        t->next = arrived_.load(std::memory_order_relaxed);
        while (!arrived_.compare_exchange_weak(t->next, t, std::memory_order_release,
                                               std::memory_order_relaxed)) {
        }
        // As after any other thread that is made ready; the caller is no processor, and its fence
        // is always a real one.
        platform::real_fence();
        if (any_idle())
            wake_one();
    }
    return release_hold();
}

bool parking::release_hold() {
    // Release pairs with the acquire in `count_idle`, acquire with the changes before, of
    // processors that became idle and of others that released a hold.
    const std::uint64_t seen = counts_.fetch_sub(one_hold, std::memory_order_acq_rel);
    if (seen != processors_ + one_hold)
        return seen >= one_hold;
    // All are idle, and this was the last hold. Nobody else changes the counts now: see
    // `count_idle`. A processor may have counted itself after the look at the idle in `arrive` and
    // not yet have looked at what has arrived: the run is not over, and somebody has to be woken.
    if (any_arrived())
        wake_one();
    else
        end(processors_);
    return true;
}

} // namespace saguaro::nanothreads
