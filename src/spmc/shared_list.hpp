// SPDX-License-Identifier: MIT
// A lock-free list of free objects in the control area: a space that is killed in the middle of an
// operation loses one object at most, and no other space waits for it.
#pragma once

#include "spmc/job.hpp"

#include <atomic>
#include <cstdint>

namespace saguaro::spmc {

// The head is the place of the first object, and above it how often somebody took one: a head that
// has its old place again has another count, so that no exchange mistakes it.
using list_head = std::atomic<std::uint64_t>;

// Puts `object` in front. It belongs to the list from then on.
template <class T>
void put_back(const job &all, list_head &head, T &object) {
    const std::uint64_t me = all.place_of(&object);
    std::uint64_t seen = head.load(std::memory_order_relaxed);
    do {
        // Relaxed: the exchange below publishes it.
        object.next.store(static_cast<std::uint32_t>(seen), std::memory_order_relaxed);
        // Release pairs with the acquire in `take_first`.
    } while (!head.compare_exchange_weak(seen, (seen >> 32 << 32) | me, std::memory_order_release,
                                         std::memory_order_relaxed));
}

// The first object, which is the caller's from then on; null if there is none.
template <class T>
T *take_first(const job &all, list_head &head) {
    // Acquire, both: pairs with the release in `put_back`, so that `next` is what was stored there.
    std::uint64_t seen = head.load(std::memory_order_acquire);
    while (static_cast<std::uint32_t>(seen) != 0) {
        T *const first = all.at<T>(static_cast<place>(seen));
        // Somebody else may have taken it already, and may be writing: then the count is another.
        const std::uint64_t rest = first->next.load(std::memory_order_relaxed);
        const std::uint64_t count = ((seen >> 32) + 1) << 32;
        if (head.compare_exchange_weak(seen, count | rest, std::memory_order_acquire,
                                       std::memory_order_acquire))
            return first;
    }
    return nullptr;
}

} // namespace saguaro::spmc
