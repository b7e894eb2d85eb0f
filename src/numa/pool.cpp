// SPDX-License-Identifier: MIT
#include "numa/pool.hpp"

#include "numa/machine.hpp"
#include "numa/placed.hpp"
#include "platform/arithmetic.hpp"
#include "platform/memory.hpp"

#include <cstring>
#include <memory>
#include <pthread.h>

namespace saguaro::numa {

// They last until the process has ended: threads free blocks until then.
struct all_pools {
    all_pools() : count(machine::here().nodes().size()), pools(new pool[count]) {
        for (unsigned i = 0; i < count; ++i)
            pools[i].index_ = i;
    }

    // A child of fork has but one thread: no other thread may be changing a pool then.
    void lock() {
        for (unsigned i = 0; i < count; ++i)
            pools[i].lock_.lock();
        placed_lock().lock();
    }
    void unlock() {
        placed_lock().unlock();
        for (unsigned i = 0; i < count; ++i)
            pools[i].lock_.unlock();
    }

    const std::size_t count;
    pool *const pools;
};

namespace {

all_pools &everyone() {
    static all_pools *const them = [] {
        auto *const made = new all_pools;
        pthread_atfork([] { everyone().lock(); }, [] { everyone().unlock(); },
                       [] { everyone().unlock(); });
        return made;
    }();
    return *them;
}

// Slabs of blocks up to 8 KB are a unit; larger ones hold eight blocks, and those above 64 KB one.
std::size_t slab_bytes(std::size_t block_bytes) {
    if (block_bytes <= unit_bytes / 8)
        return unit_bytes;
    return block_bytes <= unit_bytes ? 8 * unit_bytes : platform::round_up(block_bytes, unit_bytes);
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

void *pool::take_large(std::size_t bytes) {
    const std::lock_guard guard(lock_);
    segment *const whole = add_segment(bytes + platform::page_size());
    if (whole == nullptr)
        return nullptr;
    std::memset(whole->class_of_unit, whole_segment, units);
    return block_of(whole);
}

void pool::put_large(segment *whole) {
    {
        const std::lock_guard guard(lock_);
        segments_.remove(whole);
    }
    platform::release(whole, whole->bytes);
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
