// SPDX-License-Identifier: MIT
// The pools of all nodes: taking, returning and keeping blocks, and their locks across fork.
#include "numa/pool.hpp"

#include "numa/machine.hpp"
#include "numa/placed.hpp"
#include "platform/arithmetic.hpp"
#include "platform/forks.hpp"
#include "platform/memory.hpp"

#include <atomic>
#include <bit>
#include <cstring>
#include <mutex>
#include <utility>

namespace saguaro::numa {

// They last until the process has ended: threads free blocks until then.
struct all_pools {
    explicit all_pools(std::size_t nodes) : count(nodes), pools(new pool[nodes]) {
        for (unsigned i = 0; i < count; ++i)
            pools[i].index_ = i;
    }

    void lock() {
        for (unsigned i = 0; i < count; ++i)
            pools[i].lock_.lock();
    }
    void unlock() {
        for (unsigned i = 0; i < count; ++i)
            pools[i].lock_.unlock();
    }

    const std::size_t count;
    pool *const pools;
};

namespace {

constinit std::atomic<all_pools *> the_pools{nullptr};

[[gnu::noinline]] all_pools &make_once() {
    const std::size_t nodes = machine::here().nodes().size(); // takes the lock itself
    const std::lock_guard guard(making_lock());
    // Relaxed: written under the lock.
    all_pools *them = the_pools.load(std::memory_order_relaxed);
    if (them == nullptr) {
        them = new all_pools(nodes);
        // Release: pairs with `everyone`.
        the_pools.store(them, std::memory_order_release);
    }
    return *them;
}

all_pools &everyone() {
    // Acquire: pairs with the release in make_once; the pools are built.
    all_pools *const them = the_pools.load(std::memory_order_acquire);
    return them != nullptr ? *them : make_once();
}

// A child of fork has but one thread: no other may be making or changing the pools then.
void before_fork() {
    making_lock().lock();
    // Relaxed, here and below: written under that lock.
    if (all_pools *const them = the_pools.load(std::memory_order_relaxed))
        them->lock();
    placed_lock().lock();
}

void after_fork() {
    placed_lock().unlock();
    if (all_pools *const them = the_pools.load(std::memory_order_relaxed))
        them->unlock();
    making_lock().unlock();
}

// Before the handlers of the floors above are (102 and on): what is registered first is called
// last, so that their locks are taken before ours. A thread that ends gives its blocks back to a
// pool, and whoever waits for it may hold such a lock.
[[gnu::constructor(101)]] void handle_forks() {
    platform::at_forks(before_fork, after_fork, after_fork);
}

// Slabs of blocks up to 8 KB are a unit; larger ones hold eight blocks, and those above 64 KB one.
std::size_t slab_bytes(std::size_t block_bytes) {
    if (block_bytes <= unit_bytes / 8)
        return unit_bytes;
    return block_bytes <= unit_bytes ? 8 * unit_bytes : platform::round_up(block_bytes, unit_bytes);
}

// Whether it is worth keeping: its first page, which somebody has written to as a rule, is on the
// segment's node or on none.
bool is_in_place(segment *whole) {
    if (!whole->is_bound)
        return false;
    survey seen;
    if (!machine::here().has_one_node())
        look_at(block_of(whole), platform::page_size(), whole->node_index, &seen);
    return seen.elsewhere == 0;
}

// Eight sizes for each doubling. What is added is address space alone, until somebody writes there.
std::size_t rounded_large(std::size_t bytes) {
    return platform::round_up(bytes, std::bit_floor(bytes) / 8);
}

} // namespace

void chain::move_to(chain *to, unsigned enough) {
    while (first != nullptr && to->count < enough)
        to->push(pop());
}

pool &pool::of(unsigned node_index) {
    return everyone().pools[node_index];
}

segment *pool::add_segment(std::size_t bytes) {
    segment *const made = map_segment(bytes, index_);
    if (made == nullptr)
        return nullptr;
    made->is_bound = bind(made, made->bytes, index_) == 0;
    segments_.add(made);
    return made;
}

void pool::cut_slab(unsigned block_class, unsigned enough, chain *into) {
    const std::size_t size = size_of_class(block_class);
    const std::size_t bytes = slab_bytes(size);
    supply &from = supplies_[block_class];
    if (static_cast<std::size_t>(from.end - from.uncut) < size) {
        if (static_cast<std::size_t>(end_ - uncut_) < bytes) {
            segment *const fresh = add_segment(segment_bytes);
            if (fresh == nullptr)
                return;
            uncut_ = reinterpret_cast<char *>(fresh) + unit_bytes;
            end_ = reinterpret_cast<char *>(fresh) + segment_bytes;
        }
        segment *const of = segment_of(uncut_);
        const auto unit =
            static_cast<std::size_t>(uncut_ - reinterpret_cast<char *>(of)) / unit_bytes;
        std::memset(of->class_of_unit + unit, static_cast<int>(block_class), bytes / unit_bytes);
        from.uncut = uncut_;
        from.end = uncut_ += bytes;
    }
    // No more than are wanted now: writing the link of a block takes its page from the system.
    while (into->count < enough && static_cast<std::size_t>(from.end - from.uncut) >= size) {
        into->push(reinterpret_cast<free_block *>(from.uncut));
        from.uncut += size;
    }
}

void pool::take(unsigned block_class, unsigned enough, chain *into) {
    const std::lock_guard guard(lock_);
    supplies_[block_class].free.move_to(into, enough);
    if (into->first == nullptr)
        cut_slab(block_class, enough, into);
}

void pool::put(unsigned block_class, chain *from) {
    const std::lock_guard guard(lock_);
    from->move_to(&supplies_[block_class].free, ~0U);
}

// Of this size precisely: sizes are rounded, so that those that are nearly equal meet again.
segment *pool::take_kept(std::size_t bytes) {
    for (segment **link = &kept_; *link != nullptr; link = &(*link)->next_kept) {
        segment *const found = *link;
        if (found->bytes != bytes)
            continue;
        *link = found->next_kept;
        kept_bytes_ -= bytes;
        return found;
    }
    return nullptr;
}

// There is one.
segment *pool::remove_oldest_kept() {
    segment **link = &kept_;
    while ((*link)->next_kept != nullptr)
        link = &(*link)->next_kept;
    segment *const oldest = std::exchange(*link, nullptr);
    kept_bytes_ -= oldest->bytes;
    return oldest;
}

void *pool::take_large(std::size_t bytes) {
    const std::size_t rounded = rounded_large(bytes) + platform::page_size();
    const std::lock_guard guard(lock_);
    segment *whole = take_kept(rounded);
    if (whole == nullptr)
        whole = add_segment(rounded);
    if (whole == nullptr)
        return nullptr;
    std::memset(whole->class_of_unit, whole_segment, units);
    return block_of(whole);
}

void pool::put_large(segment *whole) {
    const bool keep = whole->bytes <= most_kept_large && is_in_place(whole);
    segment *to_release = nullptr;
    {
        const std::lock_guard guard(lock_);
        if (keep) {
            whole->next_kept = std::exchange(kept_, whole);
            kept_bytes_ += whole->bytes;
        } else {
            segments_.remove(whole);
            whole->next_kept = std::exchange(to_release, whole);
        }
        while (kept_bytes_ > most_kept_large) {
            segment *const oldest = remove_oldest_kept();
            segments_.remove(oldest);
            oldest->next_kept = std::exchange(to_release, oldest);
        }
    }
    while (to_release != nullptr) {
        segment *const each = std::exchange(to_release, to_release->next_kept);
        platform::release(each, each->bytes);
    }
}

void pool::count(counts *into) {
    const std::lock_guard guard(lock_);
    for (segment *each = segments_.first; each != nullptr; each = each->after) {
        into->bytes += each->bytes;
        if (!each->is_bound)
            into->refused_bytes += each->bytes;
        look_at(reinterpret_cast<char *>(each), each->bytes, index_, &into->pages);
    }
}

} // namespace saguaro::numa
