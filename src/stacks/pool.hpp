// SPDX-License-Identifier: MIT
// Where stacks come from: one pool for all workers, and a small cache for each.
//
// A stack is taken when something starts to run and given back when it ends; the one given last is
// taken first, because its pages are in the processor's cache. Nothing is unmapped before the pool
// ends: the number of mappings is the most that were ever in use at once.
#pragma once

#include "platform/spin_lock.hpp"
#include "stacks/mapping_list.hpp"
#include "stacks/stack.hpp"

#include <array>
#include <cstddef>

namespace saguaro::stacks {


// All functions may be called from any thread, except the constructor and the destructor.
class pool {
public:
    // Called once for each newly mapped stack, by the thread that takes it, before `take` returns.
    // The place to build something in `extra()`.
    using initializer = void (*)(stack *);

    // Stacks of `stack_bytes` for frames, rounded up to whole pages, and `extra_bytes` for the
    // user. Maps nothing yet.
    pool(std::size_t stack_bytes, std::size_t extra_bytes, initializer init = nullptr);

    // Unmaps all stacks. All must have been given back.
    ~pool();

    pool(const pool &) = delete;
    pool &operator=(const pool &) = delete;

    // A stack on which nothing runs; null when the system (or `limit`) gives no more. Reused: some
    // 10 ns. New: three system calls and the page faults of its use, some 5 µs.
    stack *take();

    // Takes back a stack on which nothing runs: another thread may start on it at once, so never
    // the one that the caller runs on.
    void give(stack *s);

    // Held across a fork, so that the child finds the free stacks whole.
    platform::spin_lock &lock() { return lock_; }

    // Calls visit(stack &) for each stack that was mapped so far.
    template <class Visit>
    void for_each_mapped(Visit visit) const {
        for_each_in(*mappings_, visit);
    }

    // The number of stacks that were mapped so far.
    std::size_t mapped() const;

    // From now on `take` maps no stack when there are already `stacks` of them. For tests of what
    // happens when there are no more.
    void limit(std::size_t stacks);

    // The bytes that frames may use in each stack.
    std::size_t stack_bytes() const { return stack_bytes_; }

private:
    friend class cache;

    // Takes at least one and at most `most` stacks that are free, or maps one. Returns how many
    // were put in `out`: 0 when there are no more.
    unsigned take_some(stack **out, unsigned most);
    void give_some(stack *const *stacks, unsigned count);
    stack *map_one(std::size_t number);

    const std::size_t stack_bytes_;
    const std::size_t mapping_bytes_;
    const initializer init_;
    mapping_list *const mappings_; // for the destructor and the overflow report

    mutable platform::spin_lock lock_; // guards what follows
    stack *free_ = nullptr;
    std::size_t mapped_ = 0;
    std::size_t limit_;
};

// One worker's stacks at hand. Only the owning worker's thread calls it. No locks while it is
// neither empty nor full.
class cache {
public:
    // The most stacks that are kept from the pool.
    static constexpr unsigned capacity = 64;

    explicit cache(pool &stacks) : pool_(stacks) {}

    // Gives everything back to the pool.
    ~cache();

    cache(const cache &) = delete;
    cache &operator=(const cache &) = delete;

    // As pool::take. A nanosecond while there are stacks at hand.
    stack *take() {
        if (count_ == 0) [[unlikely]]
            return refill();
        return at_hand_[--count_];
    }

    // As pool::give, but it may be the stack that the caller runs on if the caller leaves it (by a
    // return of its entry point, or leave_to) without giving another: the newest are the last to
    // go to the pool, so nobody else can have it before this worker's next `give`.
    void give(stack *s) {
        if (count_ == capacity) [[unlikely]]
            spill();
        at_hand_[count_++] = s;
    }

private:
    stack *refill();
    void spill();

    std::array<stack *, capacity> at_hand_; // oldest first; the first count_ are there
    unsigned count_ = 0;
    pool &pool_;
};

} // namespace saguaro::stacks
