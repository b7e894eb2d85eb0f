// SPDX-License-Identifier: MIT
// Carving descriptors out of each node's areas, and exchanging batches with the depot.
#include "nanothreads/descriptors.hpp"

#include "numa/near.hpp"
#include "platform/memory.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <new>

namespace saguaro::nanothreads {

namespace {

// Address space of the first area, and of the largest; each is twice as large as the one before.
// Memory is taken as it is touched.
constexpr std::size_t first_area_bytes = std::size_t{64} << 10;
constexpr std::size_t largest_area_bytes = std::size_t{64} << 20;

// What a huge page is on most systems. Areas of that size and more are made of such: the page
// faults of a million descriptors were three quarters of what creating their threads took.
constexpr std::size_t huge_page_bytes = std::size_t{2} << 20;

// Areas of runs that have ended, without memory: a handle of such a run points to zeros. Each size
// has four places. In any thread, without a lock: one that a fork's child finds taken stays so.
class ended_areas {
public:
    // Null: there is none of that size.
    void *take(std::size_t bytes) {
        for (std::atomic<void *> &each : of_size(bytes))
            // Acquire pairs with the release in `keep`: what the run before did there.
            if (void *const area = each.exchange(nullptr, std::memory_order_acquire))
                return area;
        return nullptr;
    }

    void keep(void *area, std::size_t bytes) {
        platform::discard(area, bytes);
        for (std::atomic<void *> &each : of_size(bytes)) {
            void *none = nullptr;
            if (each.compare_exchange_strong(none, area, std::memory_order_release,
                                             std::memory_order_relaxed))
                return;
        }
        platform::release(area, bytes);
    }

private:
    using places = std::array<std::atomic<void *>, 4>;

    places &of_size(std::size_t bytes) {
        const auto doubled = std::bit_width(bytes / platform::round_to_pages(first_area_bytes)) - 1;
        return all_[static_cast<std::size_t>(doubled)];
    }

    std::array<places, std::bit_width(largest_area_bytes / first_area_bytes)> all_{};
};

constinit ended_areas ended;

void *map_area(std::size_t bytes) {
    if (void *const area = ended.take(bytes))
        return area;
    if (bytes < huge_page_bytes)
        return platform::reserve(bytes);
    void *const memory = platform::reserve_aligned(bytes, huge_page_bytes);
    if (memory != nullptr)
        platform::allow_huge_pages(memory, bytes);
    return memory;
}

} // namespace

descriptors::descriptors() : nodes_(numa::node_count()), newest_(new areas[nodes_]{}) {}

descriptors::~descriptors() {
    for (unsigned node = 0; node < nodes_; ++node)
        // Relaxed: the destructor runs alone.
        for (area *a = newest_[node].load(std::memory_order_relaxed); a != nullptr;) {
            area *const older = a->older;
            ended.keep(a, a->bytes);
            a = older;
        }
}

thread *descriptors::carve() {
    areas &mine = newest_[nodes_ == 1 ? 0 : numa::node_index_here()];
    // Acquire pairs with the release in next_area: the area's size is visible.
    area *a = mine.load(std::memory_order_acquire);
    for (;;) {
        if (a != nullptr) {
            // Relaxed: each increment gets other descriptors, which nobody has touched.
            const std::size_t at = a->taken.fetch_add(page, std::memory_order_relaxed);
            if (at < a->descriptors)
                return a->first() + at;
        }
        a = next_area(mine, a);
        if (a == nullptr)
            return nullptr;
    }
}

// Called when `exhausted` has no more: makes a new area unless somebody else has.
descriptors::area *descriptors::next_area(areas &of, const area *exhausted) {
    const std::lock_guard guard(growing_);
    // Relaxed: written under the lock.
    area *const last = of.load(std::memory_order_relaxed);
    if (last != exhausted)
        return last;
    const std::size_t bytes = last == nullptr ? platform::round_to_pages(first_area_bytes)
                                              : std::min(2 * last->bytes, largest_area_bytes);
    void *const memory = map_area(bytes);
    if (memory == nullptr)
        return nullptr;
    const std::size_t room = bytes / sizeof(thread) - 1;
    area *const more = new (memory) area{0, room - room % page, bytes, last};
    // Release pairs with the acquire in `carve`.
    of.store(more, std::memory_order_release);
    return more;
}

thread *descriptors::take_batch() {
    // Relaxed: a hint; who misses a batch carves.
    if (batches_.load(std::memory_order_relaxed) == nullptr)
        return nullptr;
    const std::lock_guard guard(depot_lock_);
    thread *const first = batches_.load(std::memory_order_relaxed);
    if (first != nullptr)
        batches_.store(first->previous, std::memory_order_relaxed);
    return first;
}

void descriptors::give_batch(thread *first) {
    const std::lock_guard guard(depot_lock_);
    first->previous = batches_.load(std::memory_order_relaxed);
    batches_.store(first, std::memory_order_relaxed);
}

// True: there are some in `free_`, or from `next_` on.
bool descriptor_cache::refill() {
    free_ = full_ != nullptr ? full_ : all_.take_batch();
    full_ = nullptr;
    if (free_ != nullptr) {
        count_ = descriptors::batch;
        return true;
    }
    next_ = all_.carve();
    end_ = next_ != nullptr ? next_ + descriptors::page : nullptr;
    carved_ += next_ != nullptr ? descriptors::page : 0;
    return next_ != nullptr;
}

void descriptor_cache::make_room() {
    if (full_ != nullptr)
        all_.give_batch(full_);
    full_ = free_;
    free_ = nullptr;
    count_ = 0;
}

} // namespace saguaro::nanothreads
