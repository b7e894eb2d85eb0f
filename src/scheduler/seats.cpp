// SPDX-License-Identifier: MIT
// The lists of threads that sleep, and waking them.
#include "scheduler/seats.hpp"

#include "platform/clock.hpp"
#include "platform/copy_table.hpp"
#include "platform/futex.hpp"
#include "platform/thread.hpp"
#include "saguaro/detail/frame.h"
#include "scheduler/arena.hpp"
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

void participant::list::remove(participant &who) {
    *who.link = who.next;
    (who.next != nullptr ? who.next->link : end) = who.link;
    who.in = nullptr;
    --size;
}

namespace {

int node_of_sleeper(const participant &who) {
    return who.seat != nullptr ? node_of(*who.seat) : everywhere;
}

} // namespace

void sleeping_nodes::add(participant &who) {
    const int node = node_of_sleeper(who);
    who.node_bit = node == everywhere ? on_each : static_cast<unsigned>(node) % on_each;
    if (counts_[who.node_bit]++ == 0 && who.node_bit != on_each)
        bits_ |= bit_of(node);
}

void sleeping_nodes::remove(const participant &who) {
    if (--counts_[who.node_bit] == 0 && who.node_bit != on_each)
        bits_ &= ~(std::uint64_t{1} << who.node_bit);
}

void participant::sleep(std::chrono::nanoseconds nap) {
    // Pairs with the additions in tell_over and seats::tell: either they see that it sleeps, or the
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
    // `called` is heeded by what the thread does next: it looks.
    call.fetch_and(~(asleep | called), std::memory_order_acq_rel);
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
    std::atomic<std::uint32_t> *const told = std::exchange(of_.told_, nullptr);
    platform::home_cpu *const moved = std::exchange(of_.moved_, nullptr);
    const int moved_to = of_.moved_to_;
    of_.lock_.unlock();
    if (moved != nullptr)
        moved->move_to(moved_to);
    if (told != nullptr)
        platform::futex_wake(*told, 1);
}

void seats::open(unsigned workers, int cpu, bool hears_all_pushes) {
    workers_ = static_cast<int>(workers);
    spare_cpu_ = cpu;
    const holding guard(*this);
    awake_.store(workers_ - 1, std::memory_order_relaxed); // nobody else looks at it yet
    hears_all_pushes_ = hears_all_pushes;
    settle();
}

int seats::free_processors(unsigned leaving) const {
    // Relaxed: written under the lock; a hint elsewhere.
    const int awake = awake_.load(std::memory_order_relaxed);
    const int threadless = threadless_.load(std::memory_order_relaxed);
    const int left = workers_ - awake - static_cast<int>(roots_under_way() - leaving) + threadless +
                     guests_asleep_.load(std::memory_order_relaxed) + blocked() +
                     platform::threads_away() - platform::threads_of_other_copies();
    if (threadless == 0) [[likely]]
        return left;
    const int for_these = unbegun_.load(std::memory_order_relaxed) != 0
                              ? 1
                              : 1 - awake + own_blocked_.load(std::memory_order_relaxed);
    return std::max(left, for_these);
}

int seats::roots(unsigned leaving) const {
    // Relaxed: a hint.
    return static_cast<int>(roots_under_way() - leaving) -
           threadless_.load(std::memory_order_relaxed) + inside();
}

// ---- Under the lock ----

void seats::tell(participant &who, std::uint32_t what) {
    // As in tell_over.
    if ((who.call.fetch_or(what, std::memory_order_acq_rel) & participant::asleep) != 0)
        told_ = &who.call;
}

namespace {

// Of the list that it is in.
void take_off(sleeping_nodes &nodes, participant &who) {
    if (who.mine == nullptr)
        nodes.remove(who);
    who.in->remove(who);
}

} // namespace

// After each change: the hint and the count are as the lists are.
void seats::settle(unsigned leaving) {
    guests_asleep_.store(static_cast<int>(guests_.size), std::memory_order_relaxed);
    platform::tell_other_copies(awake_.load(std::memory_order_relaxed) -
                                static_cast<int>(guests_.size) - blocked());
    // A thread that has entered works for its own root only, so with several roots it is not to be
    // woken for what anybody pushes: it looks around itself.
    const bool only_one = roots(leaving) <= 1;
    const unsigned asleep = sleepers_.size + (only_one ? guests_.size : 0);
    const auto free = static_cast<unsigned>(std::max(free_processors(leaving), 0));
    const unsigned can_be_woken = std::min(asleep, free);
    can_be_woken_.store(can_be_woken, std::memory_order_relaxed);
    // Before the next store: who sees that sees this.
    asleep_on_.store(only_one && guests_.size != 0 ? ~std::uint64_t{0} : nodes_.bits(),
                     std::memory_order_relaxed);
    // Sequentially consistent: see idleness::sleep.
    __atomic_store_n(&sg_hear_pushes, can_be_woken != 0 || hears_all_pushes_, __ATOMIC_SEQ_CST);
}

// ---- The rest takes it ----

bool seats::rest(participant &who, bool gives_way) {
    const holding guard(*this);
    if (gives_way && free_processors() >= 0)
        return false;
    if (who.mine != nullptr) {
        guests_.push_front(who);
    } else {
        // Relaxed, here and below: written under the lock.
        awake_.store(awake_.load(std::memory_order_relaxed) - 1, std::memory_order_relaxed);
        sleepers_.push_front(who);
        nodes_.add(who);
    }
    settle();
    return true;
}

bool seats::rise(participant &who) {
    const holding guard(*this);
    // Relaxed: written under the lock. Who has woken it has taken it off the list.
    if ((who.call.fetch_and(~participant::woken, std::memory_order_relaxed) & participant::woken) !=
        0)
        return true;
    if (who.in == nullptr || (who.mine == nullptr && free_processors() <= 0 && !dismissed_)) {
        settle();
        return false;
    }
    take_off(nodes_, who);
    if (who.mine == nullptr)
        awake_.store(awake_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    settle();
    return true;
}

void seats::look_again() {
    const holding guard(*this);
    settle();
}

void seats::leave(participant &who, unsigned leaving) {
    const holding guard(*this);
    if (who.in != nullptr)
        take_off(nodes_, who);
    settle(leaving);
}

// Null: there is none.
participant *seats::one_to_wake(unsigned leaving, int node) const {
    // The thread that watches is woken last: another thread would have to watch in its place.
    participant *watching = nullptr, *standing_in = nullptr;
    for (participant *one = sleepers_.first; one != nullptr; one = one->next) {
        const int its_node = node == SG_ANY_NODE ? node : node_of_sleeper(*one);
        if (its_node != node && its_node != everywhere)
            continue;
        if (watch.is_kept_by(*one))
            watching = one;
        else if (its_node == node)
            return one;
        else if (standing_in == nullptr)
            standing_in = one;
    }
    if (standing_in != nullptr)
        return standing_in;
    if (watching != nullptr || roots(leaving) > 1)
        return watching;
    // The only root's caller may take what its root has, on any node.
    return guests_.first;
}

bool seats::wake(unsigned leaving, int node) {
    if (!any_sleeps_on(node))
        return false;
    const int here = platform::current_cpu();
    const holding guard(*this);
    settle(leaving);
    if (sleepers() == 0)
        return false;
    participant *const who = one_to_wake(leaving, node);
    if (who == nullptr)
        return false;
    if (who->mine == nullptr)
        awake_.store(awake_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    // A thread that enters runs where the kernel puts it, which may be where this one is kept: they
    // change places, or the one would wait until the other has done what it was woken for. Not
    // where the place it would get may lie on another node than the work.
    if (node == SG_ANY_NODE && who->place != nullptr && who->place->cpu() == here &&
        spare_cpu_ >= 0) {
        moved_ = who->place;
        moved_to_ = std::exchange(spare_cpu_, here);
    }
    take_off(nodes_, *who);
    tell(*who, participant::woken);
    settle(leaving);
    return true;
}

std::optional<int> seats::next_node_asleep(std::optional<int> after) {
    const holding guard(*this);
    std::optional<int> least;
    for (const participant *one = sleepers_.first; one != nullptr; one = one->next) {
        const int node = node_of_sleeper(*one);
        if ((!after || node > *after) && (!least || node < *least))
            least = node;
    }
    return least;
}

void seats::call_one() {
    const holding guard(*this);
    if (sleepers_.first != nullptr)
        tell(*sleepers_.first, participant::called);
}

void seats::dismiss() {
    for (;;) {
        participant *one;
        {
            const holding guard(*this);
            one = sleepers_.first;
            if (one == nullptr) {
                hears_all_pushes_ = false;
                dismissed_ = true;
                settle();
                return;
            }
            take_off(nodes_, *one);
            settle();
        }
        tell_over(*one);
    }
}

bool seats::begin_blocking(unsigned most, bool is_own) {
    const holding guard(*this);
    // Relaxed, all: written under the lock.
    blocked_.store(blocked() + 1, std::memory_order_relaxed);
    own_blocked_.fetch_add(is_own ? 1 : 0, std::memory_order_relaxed);
    settle();
    const unsigned wanted = std::min(static_cast<unsigned>(blocked()), most) +
                            stand_ins.helpers.load(std::memory_order_relaxed);
    const bool is_one_short = stand_ins.all() < wanted;
    if (is_one_short)
        stand_ins.there.fetch_add(1, std::memory_order_relaxed);
    return is_one_short;
}

void seats::end_blocking(bool is_own) {
    const holding guard(*this);
    blocked_.store(blocked() - 1, std::memory_order_relaxed);
    own_blocked_.fetch_sub(is_own ? 1 : 0, std::memory_order_relaxed);
    settle();
}

void seats::count_helper(int by) {
    const holding guard(*this);
    // Relaxed, both: written under the lock.
    stand_ins.helpers.fetch_add(static_cast<unsigned>(by), std::memory_order_relaxed);
    stand_ins.there.fetch_add(static_cast<unsigned>(by), std::memory_order_relaxed);
}

bool seats::join(participant *who) {
    const holding guard(*this);
    if (who == nullptr)
        stand_ins.there.fetch_sub(1, std::memory_order_relaxed);
    if (who == nullptr || dismissed_)
        return false;
    sleepers_.push_front(*who);
    nodes_.add(*who);
    settle();
    return true;
}

void forget_sleepers() {
    // Relaxed: there is one thread.
    __atomic_store_n(&sg_hear_pushes, 0, __ATOMIC_RELAXED);
    platform::forget_threads();
}

} // namespace saguaro::scheduler
