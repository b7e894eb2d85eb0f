// SPDX-License-Identifier: MIT
// Counting idle processors, putting them to sleep, waking them, and ending the run.
#include "nanothreads/parking.hpp"

#include "platform/futex.hpp"
#include "platform/idle_threads.hpp"

namespace saguaro::nanothreads {

namespace {

// Takes one from `count` unless it is 0. Acquire and release: the processor that is last to become
// idle sees what all others did before they did, through a chain of changes of the count.
bool take_one(std::atomic<std::uint32_t> &count) {
    std::uint32_t seen = count.load(std::memory_order_relaxed);
    while (seen != 0)
        if (count.compare_exchange_weak(seen, seen - 1, std::memory_order_acq_rel,
                                        std::memory_order_relaxed))
            return true;
    return false;
}

} // namespace

// True: all are idle now, and the run is over.
bool parking::count_idle() {
    // Acquire and release as above. Sequentially consistent: pairs, by the fence that follows, with
    // the look in `any_idle` after a push.
    if (idle_.fetch_add(1, std::memory_order_seq_cst) + 1 != processors_)
        return false;
    end(processors_ - 1);
    return true;
}

void parking::stay_awake() {
    // Relaxed: the exchange decides.
    std::uint32_t seen = idle_.load(std::memory_order_relaxed);
    while (seen != 0 && seen != processors_)
        if (idle_.compare_exchange_weak(seen, seen - 1, std::memory_order_acq_rel,
                                        std::memory_order_relaxed))
            return;
    // Somebody has just taken this processor off the count, or all are idle and the run is over:
    // the ticket is on its way.
    sleep_until_woken();
}

void parking::sleep_until_woken() {
    platform::begin_to_idle();
    while (!take_one(tickets_))
        platform::futex_wait(tickets_, 0);
}

void parking::wake_one() {
    if (!take_one(idle_))
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

} // namespace saguaro::nanothreads
