// SPDX-License-Identifier: MIT
// Handing free workers to threads, and the lists of threads that wait or sleep.
#include "scheduler/seats.hpp"

#include "platform/clock.hpp"
#include "platform/futex.hpp"
#include "platform/thread.hpp"
#include "saguaro/detail/frame.h"
#include "scheduler/runtime.hpp"

#include <algorithm>
#include <mutex>
#include <optional>
#include <utility>

unsigned sg_hear_pushes = 0;

namespace saguaro::scheduler {

void participant::list::push_front(participant &who) {
    who.in = this;
    who.next = first;
    who.link = &first;
    (first != nullptr ? first->link : end) = &who.next;
    first = &who;
    ++size;
}

void participant::list::push_back(participant &who) {
    who.in = this;
    who.next = nullptr;
    who.link = end;
    *end = &who;
    end = &who.next;
    ++size;
}

void participant::list::remove(participant &who) {
    *who.link = who.next;
    (who.next != nullptr ? who.next->link : end) = who.link;
    who.in = nullptr;
    --size;
}

bool participant::sleep(std::chrono::nanoseconds nap) {
    // Pairs with the additions of `seated` and `over`: either they see that it sleeps, or the
    // kernel sees them when it compares.
    call.fetch_or(asleep, std::memory_order_acq_rel);
    std::int64_t until = platform::never;
    std::optional<platform::punctual> in_nap;
    if (nap.count() >= 0) {
        // A wake-up that comes while the nap's timer expires takes twice as long. With the kernel's
        // slack the first nap, of 50 µs, could end at any time until 100.
        in_nap.emplace();
        until = platform::now_ns() + nap.count();
    }
    bool in_time = true;
    // Acquire: pairs with those as well; what they tell of is visible.
    while (in_time && call.load(std::memory_order_acquire) == asleep)
        in_time = platform::futex_wait(call, asleep, until);
    return (call.fetch_and(~asleep, std::memory_order_acq_rel) & (seated | over)) != 0;
}

void tell_over(participant &who) {
    std::atomic<std::uint32_t> &call = who.call;
    // Release: pairs with is_over. From here on the participant may be gone: the futex only needs
    // its address.
    if ((call.fetch_or(participant::over, std::memory_order_acq_rel) & participant::asleep) != 0)
        platform::futex_wake(call, 1);
}

seats::holding::holding(seats &of) : of_(of) {
    of_.lock_.lock();
}

seats::holding::~holding() {
    const auto called = of_.called_;
    const unsigned calls = std::exchange(of_.calls_, 0);
    platform::pinned *const moved = std::exchange(of_.moved_, nullptr);
    const int moved_to = of_.moved_to_;
    of_.lock_.unlock();
    if (moved != nullptr)
        moved->move_to(moved_to);
    for (unsigned i = 0; i < calls; ++i)
        platform::futex_wake(*called[i], 1);
}

void seats::open(std::vector<worker *> all, int cpu, bool hears_all_pushes) {
    all_ = std::move(all);
    spare_cpu_ = cpu;
    is_free_.assign(all_.size(), false);
    nodes_.assign(all_.size(), 0);
    first_.store(vacant, std::memory_order_relaxed); // nobody else knows it
    const holding guard(*this);
    hears_all_pushes_ = hears_all_pushes;
    settle();
}

// ---- Under the lock ----

bool seats::take(unsigned i) {
    if (is_free_[i]) {
        is_free_[i] = false;
        free_.store(free_.load(std::memory_order_relaxed) - 1, std::memory_order_relaxed);
        if (i == 0)
            // Relaxed: while it is listed only holders of the lock write it.
            first_.store(taken, std::memory_order_relaxed);
        return true;
    }
    std::uint32_t expected = vacant;
    return i == 0 && first_.compare_exchange_strong(expected, taken, std::memory_order_seq_cst);
}

void seats::put(unsigned i) {
    is_free_[i] = true;
    nodes_[i] = all_[i]->node;
    free_.store(free_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    if (i == 0)
        first_.store(listed, std::memory_order_relaxed); // as above: it was taken
}

// A free one, of the node of memory that `who` runs on if there is one there; otherwise 0, which
// may be vacant. It looks at no worker: their memory is far, and the lock is held.
unsigned seats::find_free(const participant &who) const {
    unsigned found = 0;
    for (unsigned i = 0; i < is_free_.size(); ++i)
        if (is_free_[i]) {
            if (nodes_[i] == who.node)
                return i;
            if (!is_free_[found])
                found = i;
        }
    return found;
}

// The one that it had last, or another.
bool seats::take_for(participant &who) {
    unsigned i = who.home;
    if (!take(i)) {
        i = find_free(who);
        if (!take(i))
            return false;
    }
    who.seat = all_[i];
    return true;
}

// There is a free one.
void seats::give(participant &who) {
    take_for(who);
    who.in->remove(who);
    // As in tell_over.
    if ((who.call.fetch_or(participant::seated, std::memory_order_acq_rel) & participant::asleep) !=
        0)
        called_[calls_++] = &who.call;
}

// Worker 0 is vacant and somebody wants it: from now on it is one of the list.
bool seats::list_first() {
    std::uint32_t expected = vacant;
    if (is_free_[0] || !first_.compare_exchange_strong(expected, listed, std::memory_order_seq_cst))
        return false;
    put(0);
    return true;
}

// After each change: who waits gets what is free, and the hints and the count are as the lists are.
void seats::settle(unsigned leaving) {
    bool wanted;
    do {
        while (waiting_.first != nullptr && free_.load(std::memory_order_relaxed) != 0)
            give(*waiting_.first);
        const unsigned asleep = sleepers_.size + guests_.size;
        const unsigned free = free_.load(std::memory_order_relaxed);
        wanted = waiting_.first != nullptr || asleep > free;
        // Sequentially consistent, before the look at worker 0: pairs with give_first. Either the
        // thread that leaves it sees this, or it is found vacant here.
        wanted_.store(wanted, std::memory_order_seq_cst);
        // Before the workers are there nothing is free, not even a first one.
        if (asleep < free && is_free_[0]) {
            // There is a worker for all that sleep without it.
            take(0);
            // Release: pairs with take_first.
            first_.store(vacant, std::memory_order_release);
        }
    } while (wanted && list_first());
    waits_.store(waiting_.first != nullptr, std::memory_order_relaxed);
    // One that has entered works for its own root only, so with several roots it is not to be woken
    // for what anybody pushes: it looks around itself.
    const bool only_one = roots_under_way() - leaving <= 1;
    const unsigned sleepers = sleepers_.size + (only_one ? guests_.size : 0);
    const unsigned can_be_woken = std::min(sleepers, free_.load(std::memory_order_relaxed));
    can_be_woken_.store(can_be_woken, std::memory_order_relaxed);
    // Sequentially consistent: see idleness::sleep.
    __atomic_store_n(&sg_hear_pushes, can_be_woken != 0 || hears_all_pushes_, __ATOMIC_SEQ_CST);
}

// ---- The rest takes it ----

bool seats::take_any(participant &who) {
    if (waits_.load(std::memory_order_relaxed))
        return false;
    if (worker *const first = take_first()) {
        who.seat = first;
        return true;
    }
    if (free_.load(std::memory_order_relaxed) == 0)
        return false;
    const holding guard(*this);
    const bool any = waiting_.first == nullptr && take_for(who);
    settle();
    return any;
}

bool seats::take_or_wait(participant &who) {
    const holding guard(*this);
    const bool any = waiting_.first == nullptr && take_for(who);
    if (!any)
        waiting_.push_back(who);
    settle();
    return any;
}

root *seats::begin_waiting() {
    if (!anybody_waits())
        return nullptr;
    const holding guard(*this);
    participant *const who = waiting_.first;
    if (who == nullptr)
        return nullptr;
    waiting_.remove(*who);
    who->mine->begun = true;
    guests_.push_front(*who);
    settle();
    return who->mine;
}

void seats::rest(participant &who) {
    const holding guard(*this);
    put(std::exchange(who.seat, nullptr)->id);
    (who.mine != nullptr ? guests_ : sleepers_).push_front(who);
    settle();
}

bool seats::rise(participant &who) {
    const holding guard(*this);
    // Relaxed: written under the lock.
    if ((who.call.fetch_and(~participant::seated, std::memory_order_relaxed) &
         participant::seated) != 0)
        return true;
    if (who.in == nullptr || who.in == &waiting_ || !take_for(who))
        return false;
    who.in->remove(who);
    settle();
    return true;
}

bool seats::leave_slowly(participant &who) {
    const holding guard(*this);
    if (who.in != nullptr)
        who.in->remove(who);
    if (who.seat != nullptr)
        put(who.seat->id);
    const unsigned before = can_be_woken_;
    settle(1);
    return before == 0 && sleepers() != 0;
}

void seats::wake() {
    const int here = platform::current_cpu();
    const holding guard(*this);
    if (sleepers() == 0)
        return;
    participant &who = sleepers_.first != nullptr ? *sleepers_.first : *guests_.first;
    // A thread that enters runs where the kernel puts it, which may be where this one is kept: they
    // change places, or the one would wait until the other has done what it was woken for.
    if (who.place != nullptr && who.place->cpu() == here && spare_cpu_ >= 0) {
        moved_ = who.place;
        moved_to_ = std::exchange(spare_cpu_, here);
    }
    give(who);
    settle();
}

void seats::dismiss() {
    for (;;) {
        participant *one;
        {
            const holding guard(*this);
            one = sleepers_.first;
            if (one == nullptr) {
                hears_all_pushes_ = false;
                settle();
                return;
            }
            sleepers_.remove(*one);
            settle();
        }
        tell_over(*one);
    }
}

bool seats::take_this(unsigned i) {
    const holding guard(*this);
    const bool free = take(i);
    settle();
    return free;
}

void seats::put_back(unsigned i) {
    bool was_missed;
    {
        const holding guard(*this);
        const unsigned before = sleepers();
        put(i);
        settle();
        was_missed = before == 0 && sleepers() != 0;
    }
    if (was_missed && roots_under_way() != 0)
        wake();
}

void forget_sleepers() {
    // Relaxed: there is one thread.
    __atomic_store_n(&sg_hear_pushes, 0, __ATOMIC_RELAXED);
}

} // namespace saguaro::scheduler
