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
    end();
    return true;
}

void parking::stay_awake() {
    // Else somebody has just taken this processor off the count: the ticket is on its way.
    if (!take_one(idle_))
        sleep_until_woken();
}

void parking::sleep_until_woken() {
    platform::begin_to_idle();
    while (!take_one(tickets_))
        platform::futex_wait(tickets_, 0);
    // Else who has woken it has said so.
    if (over())
        platform::end_idling();
}

void parking::wake_one() {
    if (!take_one(idle_))
        return;
    platform::end_idling();
    // Release: pairs with take_one of who is woken.
    tickets_.fetch_add(1, std::memory_order_release);
    platform::futex_wake(tickets_, 1);
}

// A ticket for each of the others. One that is about to stay awake takes itself off the count
// instead, and finds nothing.
void parking::end() {
    // Release pairs with the acquire in `over`: the end is known to all who take a ticket.
    over_.store(true, std::memory_order_release);
    tickets_.fetch_add(processors_ - 1, std::memory_order_release);
    platform::futex_wake(tickets_, platform::everybody);
}

} // namespace saguaro::nanothreads
