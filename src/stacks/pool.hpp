// SPDX-License-Identifier: MIT
// Where a user's stacks come from: its part of the process's pool, and a small cache for each
// worker.
//
// The process has one group for each class (stack_group.hpp), and stacks that one user gives back
// are there for the others. What is the user's own: how many it has, how many it may have, and
// which.
#pragma once

#include "stacks/purpose.hpp"
#include "stacks/shape.hpp"
#include "stacks/stack.hpp"
#include "stacks/stack_group.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <mutex>

namespace saguaro::stacks {

class cache;

// All functions may be called from any thread, except the constructor and the destructor.
class pool {
public:
    // Stacks of that shape, for that purpose, which must outlive the process's last user of its
    // stacks: a constant. Maps nothing. Throws std::bad_alloc.
    explicit pool(const shape &form, const purpose &use = plain);

    // The same as pool(shape::for_frames(stack_bytes, extra_bytes), use).
    pool(std::size_t stack_bytes, std::size_t extra_bytes, const purpose &use = plain);

    // Nothing runs on the user's stacks any more. Those that were not given back are abandoned:
    // nothing on them is destroyed, and others use them. Without another user of the class most are
    // unmapped (stack_groups.hpp).
    ~pool();

    pool(const pool &) = delete;
    pool &operator=(const pool &) = delete;

    // A stack on which nothing runs; null when the system (or `limit`) gives no more, not even what
    // rests in other classes. Reused: some 10 ns. New: a system call and the page faults of its
    // use, some 5 µs.
    stack *take();

    // Takes back a stack on which nothing runs: another thread may start on it at once, so never
    // the one that the caller runs on.
    void give(stack *s);

    // Sees to it that `count` stacks are free, in one piece if there are none, for whoever knows
    // how many will be needed; no reservation, where others share the class. False: the system (or
    // `limit`) refuses, and fewer are there or none.
    bool prepare(std::size_t count);

    // For a thread that has nothing better to do, before it sleeps: gives the memory of stacks that
    // have rested for `rest_period` or longer (at most twice that) back to the system, all but the
    // descriptor's page and what is to be kept of `extra`, and unmaps what rests beyond
    // `most_cold`, all for the whole class. At most 64 at a time: some 2 µs for each, and 0.4 µs
    // for each page. `now_ns`: platform::now_ns(). Returns after how many nanoseconds another call
    // would do more; -1: not before another stack is given back.
    std::int64_t trim(std::int64_t now_ns) { return group_.trim(now_ns); }

    // What `trim` does to each stack, to one on which nothing runs and that the caller keeps.
    void discard(stack &s) const { group_.discard(s); }

    // Calls visit(stack &) for each stack of the class, under the group's lock.
    template <class Visit>
    void for_each_mapped(Visit visit) const {
        const std::lock_guard guard(group_.lock());
        group_.for_each(visit);
    }

    // The same for those that this user has: in use, or at hand in a cache.
    template <class Visit>
    void for_each_taken(Visit visit) const {
        for_each_mapped([&](stack &s) {
            if (s.holder == this)
                visit(s);
        });
    }

    // The number of stacks of the class that are mapped.
    std::size_t mapped() const;

    // The number of stacks that this user has and that are not at hand in a cache. Exact when
    // nobody takes or gives meanwhile.
    std::size_t in_use() const;

    // The most stacks that this user ever had at once: in use, or at hand in a cache.
    std::size_t most_out() const;

    // From now on `take` gives this user no more when it has `stacks` of them. For tests of what
    // happens when there are no more.
    void limit(std::size_t stacks);
    bool is_at_limit() const;

    // The variable that makes a stack larger.
    const char *setting() const { return group_.use.setting; }

    // The bytes that frames may use in each stack.
    std::size_t stack_bytes() const { return group_.form.stack_bytes; }

    // The size of a block, to which it is aligned: for block_of and top_word.
    std::size_t block_bytes() const { return group_.form.block_bytes; }

private:
    friend class cache;

    // Takes at least one and at most `most` stacks that are free, or maps one. Returns how many
    // were put in `out`: 0 when there are no more.
    unsigned take_some(stack **out, unsigned most);
    void give_some(stack *const *stacks, unsigned count);

    unsigned take_free(stack **out, unsigned most, unsigned node);
    stack *map();
    void recall();

    stack_group &group_;

    // Guarded by the group's lock.
    std::size_t out_ = 0; // with those that are being mapped
    std::size_t most_out_ = 0;
    std::size_t prepared_ = 0; // for so many to be out
    std::size_t limit_ = std::numeric_limits<std::size_t>::max();
    cache *caches_ = nullptr;
};

// One worker's stacks at hand. Only the owning worker's thread calls it. No locks while it is
// neither empty nor full.
class cache {
public:
    // The most stacks that are kept from the pool.
    static constexpr unsigned capacity = 64;

    // Keeps at most `bound` stacks, 2 to `capacity`.
    explicit cache(pool &stacks, unsigned bound = capacity);

    // Gives everything back to the pool.
    ~cache();

    cache(const cache &) = delete;
    cache &operator=(const cache &) = delete;

    // Gives all stacks to the pool, for others to take. For a worker that is about to sleep.
    void rest() { spill(size()); }

    // How many there are.
    unsigned count() const { return size(); }

    // On a machine with several nodes: gives the pool those that were given last, as far as they
    // are of another node than the one that the caller runs on. Not while the caller runs on one of
    // them.
    void send_home() {
        if (pool_.group_.nodes > 1) [[unlikely]]
            send_far_home();
    }

    // Keeps the `kept` that were given last; of the others the system gets the memory, the pool the
    // rest. Some 2 µs for each.
    void thin_out(unsigned kept);

    // As pool::take. A nanosecond while there are stacks at hand.
    stack *take() {
        const unsigned count = size();
        if (count == 0) [[unlikely]]
            return refill();
        resize(count - 1);
        return at_hand_[count - 1];
    }

    // As pool::give, but it may be the stack that the caller runs on if the caller leaves it (by a
    // return of its entry point, or leave_to) without giving another: the newest are the last to
    // go to the pool, so nobody else can have it before this worker's next `give`.
    void give(stack *s) {
        if (size() == bound_) [[unlikely]]
            spill(bound_ / 2);
        const unsigned count = size();
        at_hand_[count] = s;
        resize(count + 1);
    }

private:
    friend class pool;

    stack *refill();
    void send_far_home();
    void spill(unsigned oldest);

    // Relaxed, both: others only count what is at hand (pool::in_use).
    unsigned size() const { return count_.load(std::memory_order_relaxed); }
    void resize(unsigned count) { count_.store(count, std::memory_order_relaxed); }

    std::array<stack *, capacity> at_hand_; // oldest first; the first `size()` are there
    std::atomic<unsigned> count_{0};
    const unsigned bound_;
    pool &pool_;
    cache *next_ = nullptr; // the pool's list, under the group's lock
};

} // namespace saguaro::stacks
