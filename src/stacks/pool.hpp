// SPDX-License-Identifier: MIT
// Where stacks come from: a pool for each shape of stacks, and a small cache for each worker.
//
// A stack is taken when something starts to run and given back when it ends; the one given last is
// taken first, because its pages are in the processor's cache. Nothing is unmapped before the pool
// ends: the number of stacks is the most that were ever needed at once. What rests in the pool for
// a second gives its memory back.
#pragma once

#include "platform/spin_lock.hpp"
#include "stacks/mapping_list.hpp"
#include "stacks/shape.hpp"
#include "stacks/stack.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace saguaro::stacks {

class cache;
struct slab;

// Nanoseconds after which a stack that nobody uses gives its memory back.
inline constexpr std::int64_t rest_period = 1'000'000'000;

// All functions may be called from any thread, except the constructor and the destructor.
class pool {
public:
    // Called once for each newly mapped stack, by the thread that takes it, before `take` returns.
    // The place to build something in `extra()`.
    using initializer = void (*)(stack *);

    // Stacks of that shape. Maps nothing yet. `setting` is what messages name as the variable that
    // makes a stack larger; a literal.
    explicit pool(const shape &form, initializer init = nullptr,
                  const char *setting = "SAGUARO_STACK_SIZE");

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

    // For a thread that has nothing better to do, before it sleeps: gives the memory of stacks that
    // have rested for `rest_period` or longer (at most twice that) back to the system, all but the
    // descriptor's page and what is to be kept of `extra`. At most `trimmed_at_once` of them: some
    // 2 µs for each, and 0.4 µs for each page. `now_ns`: platform::now_ns(). Returns after how many
    // nanoseconds another call would do more; -1: not before another stack is given back.
    std::int64_t trim(std::int64_t now_ns);

    // What `trim` does to each stack, to one on which nothing runs and that the caller keeps.
    void discard(stack &s) const;

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
    std::size_t limit() const;

    // The variable that makes a stack larger.
    const char *setting() const { return mappings_->setting; }

    // The bytes that frames may use in each stack.
    std::size_t stack_bytes() const { return shape_.stack_bytes; }

    // The size of a block, to which it is aligned: for block_of and top_word.
    std::size_t block_bytes() const { return shape_.block_bytes; }

private:
    friend class cache;

    // Stacks that nobody uses, the one given last first: given in this period; in the one before;
    // earlier, so that their memory is to be given back; those whose memory is the system's.
    enum age : std::size_t { warm, cooling, stale, cold, ages };
    static constexpr unsigned trimmed_at_once = 64;

    struct free_list {
        stack *first = nullptr;

        void push(stack *s) {
            s->next = first;
            first = s;
        }
        stack *pop() {
            stack *const s = first;
            if (s != nullptr)
                first = s->next;
            return s;
        }
    };

    // Takes at least one and at most `most` stacks that are free, or maps one. Returns how many
    // were put in `out`: 0 when there are no more.
    unsigned take_some(stack **out, unsigned most);
    void give_some(stack *const *stacks, unsigned count);

    stack *pop_free();
    void grow_older(std::int64_t now_ns);
    stack *map_one();
    char *find_block(std::size_t slab_blocks);
    char *cut_block();
    bool add_slab(std::size_t blocks);
    stack *build(char *block, std::size_t number);

    const shape shape_;
    const initializer init_;
    mapping_list *const mappings_; // for the destructor and the overflow report

    mutable platform::spin_lock lock_; // guards what follows
    std::array<free_list, ages> free_;
    std::size_t free_count_ = 0;
    std::int64_t next_aging_ns_ = 0;
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

    // Gives all stacks to the pool, for others to take. For a worker that is about to sleep.
    void rest() { spill(size()); }

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
    void spill(unsigned oldest);

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
