// SPDX-License-Identifier: MIT
// Where stacks come from: a pool for each shape of stacks, and a small cache for each worker.
//
// A stack is taken when something starts to run and given back when it ends; the one given last is
// taken first, because its pages are in the processor's cache. Nothing is unmapped before the pool
// ends: the number of stacks is the most that were ever needed at once.
#pragma once

#include "platform/spin_lock.hpp"
#include "stacks/mapping_list.hpp"
#include "stacks/shape.hpp"
#include "stacks/stack.hpp"

#include <array>
#include <atomic>
#include <cstddef>

namespace saguaro::stacks {

class cache;
struct slab;

// All functions may be called from any thread, except the constructor and the destructor.
class pool {
public:
    // Called once for each newly mapped stack, by the thread that takes it, before `take` returns.
    // The place to build something in `extra()`.
    using initializer = void (*)(stack *);

    // Stacks of that shape. Maps nothing yet.
    explicit pool(const shape &form, initializer init = nullptr);

    // The same as pool(shape::for_frames(stack_bytes, extra_bytes), init).
    pool(std::size_t stack_bytes, std::size_t extra_bytes, initializer init = nullptr);

    // Unmaps all stacks. All must have been given back.
    ~pool();

    pool(const pool &) = delete;
    pool &operator=(const pool &) = delete;

    // A stack on which nothing runs; null when the system (or `limit`) gives no more. Reused: some
    // 10 ns. New: a system call and the page faults of its use, some 5 µs.
    stack *take();

    // Takes back a stack on which nothing runs: another thread may start on it at once, so never
    // the one that the caller runs on.
    void give(stack *s);

    // Maps `count` more stacks in one piece, for whoever knows how many will be needed. False: the
    // system (or `limit`) refuses, and fewer are there or none.
    bool prepare(std::size_t count);

    // Held across a fork, so that the child finds the free stacks whole.
    platform::spin_lock &lock() { return lock_; }

    // Calls visit(stack &) for each stack that was mapped so far.
    template <class Visit>
    void for_each_mapped(Visit visit) const {
        for_each_in(*mappings_, visit);
    }

    // The number of stacks that were mapped so far.
    std::size_t mapped() const;

    // The number of stacks that are neither in the pool nor at hand in a cache. Exact when nobody
    // takes or gives meanwhile.
    std::size_t in_use() const;

    // The most stacks that were ever out of the pool at once: in use, or at hand in a cache.
    std::size_t most_out() const;

    // From now on `take` maps no stack when there are already `stacks` of them. For tests of what
    // happens when there are no more.
    void limit(std::size_t stacks);

    // The bytes that frames may use in each stack.
    std::size_t stack_bytes() const { return shape_.stack_bytes; }

    // The size of a block, to which it is aligned: for block_of and top_word.
    std::size_t block_bytes() const { return shape_.block_bytes; }

private:
    friend class cache;

    // Takes at least one and at most `most` stacks that are free, or maps one. Returns how many
    // were put in `out`: 0 when there are no more.
    unsigned take_some(stack **out, unsigned most);
    void give_some(stack *const *stacks, unsigned count);

    stack *map_one();
    char *find_block(std::size_t slab_blocks);
    char *cut_block();
    bool add_slab(std::size_t blocks);
    stack *build(char *block, std::size_t number);

    const shape shape_;
    const initializer init_;
    mapping_list *const mappings_; // for the destructor and the overflow report

    mutable platform::spin_lock lock_; // guards what follows
    stack *free_ = nullptr;
    std::size_t free_count_ = 0;
    std::size_t mapped_ = 0; // counts those that are being mapped
    std::size_t most_out_ = 0;
    std::size_t limit_;
    slab *open_ = nullptr; // with blocks that are no stacks yet
    slab *full_ = nullptr;
    char *refused_ = nullptr; // blocks that the system gave no guard; linked by their first word
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
            spill();
        const unsigned count = size();
        at_hand_[count] = s;
        resize(count + 1);
    }

private:
    friend class pool;

    stack *refill();
    void spill();

    // Relaxed, both: others only count what is at hand (pool::in_use).
    unsigned size() const { return count_.load(std::memory_order_relaxed); }
    void resize(unsigned count) { count_.store(count, std::memory_order_relaxed); }

    std::array<stack *, capacity> at_hand_; // oldest first; the first `size()` are there
    std::atomic<unsigned> count_{0};
    const unsigned bound_;
    pool &pool_;
    cache *next_ = nullptr; // the pool's list, under its lock
};

} // namespace saguaro::stacks
