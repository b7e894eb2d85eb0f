// SPDX-License-Identifier: MIT
// Where descriptors come from (section 5 of the paper): areas that are allocated ahead, from which
// one atomic increment takes a page of them for a processor; and recycled ones.
//
// A processor keeps the descriptors of the threads that ended there, at most two batches of them; a
// batch more goes to the depot, where processors that create more than they end find it. So one
// that creates a million threads for others to run does not allocate a million descriptors.
//
// Each node of memory has areas of its own: a huge page is on one node, and processors of all nodes
// would take their pages of descriptors from it. A recycled descriptor stays where it was carved.
#pragma once

#include "nanothreads/thread.hpp"
#include "platform/spin_lock.hpp"

#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>

namespace saguaro::nanothreads {

// All processors' descriptors. Any thread may call it, but for the destructor and for_each.
class descriptors {
public:
    // Descriptors that one atomic increment takes: a page of 4 KB.
    static constexpr unsigned page = 64;
    // Descriptors that go to the depot at once.
    static constexpr unsigned batch = 64;
    // Who goes through descriptors side by side asks for the cache lines so many ahead: a million
    // threads that do nothing then take 30 ns each instead of 36.
    static constexpr unsigned ahead = 16;

    descriptors();
    ~descriptors(); // no descriptor may be in use
    descriptors(const descriptors &) = delete;
    descriptors &operator=(const descriptors &) = delete;

    // `page` descriptors side by side, zeros. Null without memory. One atomic increment, and an
    // allocation when an area is exhausted; the first touch of a page costs a page fault.
    thread *carve();

    // A batch, linked by `next`. Null if there is none.
    thread *take_batch();

    // Takes back a batch that is linked by `next`.
    void give_batch(thread *first);

    // Calls visit(thread &) for each descriptor that was carved so far, free ones too.
    template <class Visit>
    void for_each(Visit visit) const;

private:
    // At the beginning of its own memory, before its descriptors.
    struct alignas(64) area {
        std::atomic<std::size_t> taken; // descriptors; may count more than there are
        std::size_t descriptors;
        std::size_t bytes;
        area *older;
        thread *first() { return reinterpret_cast<thread *>(this + 1); }
    };

    using areas = std::atomic<area *>; // the newest

    area *next_area(areas &of, const area *exhausted);

    const unsigned nodes_;
    const std::unique_ptr<areas[]> newest_; // of each node
    std::mutex growing_;                    // held by whoever makes an area

    platform::spin_lock depot_lock_; // guards the list of batches, linked by `previous`
    std::atomic<thread *> batches_{nullptr};
};

// One processor's. Its own thread alone calls it.
class descriptor_cache {
public:
    explicit descriptor_cache(descriptors &all) : all_(all) {}

    // A descriptor, as its last user left it or zeros. Null without memory.
    thread *take() {
        if (free_ == nullptr) [[unlikely]] {
            if (next_ != end_)
                return take_new();
            if (!refill())
                return nullptr;
            if (free_ == nullptr)
                return take_new();
        }
        thread *const t = free_;
        free_ = t->next;
        --count_;
        return t;
    }

    void give(thread *t) {
        if (count_ == descriptors::batch) [[unlikely]]
            make_room();
        t->next = free_;
        free_ = t;
        ++count_;
    }

    // Descriptors that this processor has carved and dealt out.
    std::size_t dealt() const { return carved_ - static_cast<std::size_t>(end_ - next_); }

private:
    bool refill();
    void make_room();

    thread *take_new() {
        __builtin_prefetch(next_ + descriptors::ahead, 1);
        return next_++;
    }

    descriptors &all_;
    thread *free_ = nullptr; // `count_` of them
    thread *full_ = nullptr; // a batch, or null
    thread *next_ = nullptr; // carved and never used: next_ to end_
    thread *end_ = nullptr;
    unsigned count_ = 0;
    std::size_t carved_ = 0;
};

template <class Visit>
void descriptors::for_each(Visit visit) const {
    // Relaxed, both: nobody carves meanwhile.
    for (unsigned node = 0; node < nodes_; ++node)
        for (area *a = newest_[node].load(std::memory_order_relaxed); a != nullptr; a = a->older) {
            const std::size_t taken = a->taken.load(std::memory_order_relaxed);
            for (std::size_t i = 0; i < taken && i < a->descriptors; ++i)
                visit(a->first()[i]);
        }
}

} // namespace saguaro::nanothreads
