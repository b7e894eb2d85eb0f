// SPDX-License-Identifier: MIT
// The layout of the thread-local mapped region (saguaro/detail/region.h): a head page, then SPA
// maps.
#pragma once

#include <cstddef>
#include <cstdint>

#include "hyperobjects/spa_map.hpp"
#include "saguaro/detail/region.h"

namespace saguaro::hyperobjects {

class local;
struct flows;

// 64 MB of maps, here and in each worker: addresses, and memory as far as slots are handed out.
inline constexpr std::size_t region_pages = 16384;
// How many reducers can live at once: 4,063,232.
inline constexpr std::size_t region_slots = region_pages * spa_elements;
inline constexpr std::size_t region_bytes = SG_REGION_HEADER_BYTES + region_pages * spa_page_bytes;

// What lies on the head page.
struct region_head {
    sg_region_header header; // the scheduler's
    local *owner;            // the worker's part of this floor; null elsewhere
    const flows *kind;       // of the flows that the thread animates (flows.hpp); null elsewhere
};
static_assert(sizeof(region_head) <= SG_REGION_HEADER_BYTES);

// The region of the threads that are no workers: zero pages at first.
extern char outside_region[region_bytes];

inline region_head *outside_head() {
    return reinterpret_cast<region_head *>(outside_region);
}

// The region that the calling thread sees from now on. Out of line, as all that writes the
// thread-local pointer: the variable's address is worked out anew for the thread that calls.
void see_region(region_head *seen);

// What it sees now.
inline region_head *seen_region() {
    return reinterpret_cast<region_head *>(sg_region_here());
}

// A reducer's key is the distance of its element from the head of each region; a slot is its
// number. No key is 0.
inline std::uintptr_t key_of(std::size_t page, std::size_t index) {
    return SG_REGION_HEADER_BYTES + page * spa_page_bytes + index * sizeof(element);
}

inline std::uintptr_t key_of_slot(std::uint32_t slot) {
    return key_of(slot / spa_elements, slot % spa_elements);
}

// Page of a key, 0 to 16383.
inline std::uint32_t page_of_key(std::uintptr_t key) {
    return static_cast<std::uint32_t>((key - SG_REGION_HEADER_BYTES) / spa_page_bytes);
}

// Place of a key in its SPA map, 0 to 247.
inline std::size_t element_index(std::uintptr_t key) {
    return key % spa_page_bytes / sizeof(element);
}

inline std::uint32_t slot_of_key(std::uintptr_t key) {
    return static_cast<std::uint32_t>(page_of_key(key) * spa_elements + element_index(key));
}

// The element that threads outside see: the reducer's outside view, and whose slot this is. Null
// pointers: the slot is free. Written only when a reducer is created or destroyed.
inline element &outside_element(std::uintptr_t key) {
    return *reinterpret_cast<element *>(outside_region + key);
}

// Addresses for a copy of the region.
class region_addresses {
public:
    // With memory for the first `committed` bytes. Throws std::system_error if the system refuses.
    explicit region_addresses(std::size_t committed);
    ~region_addresses();
    region_addresses(const region_addresses &) = delete;
    region_addresses &operator=(const region_addresses &) = delete;

    region_head *head() const { return head_; }

private:
    region_head *head_;
};

// A worker's copy of the region: memory as far as reducers have slots (committed.hpp).
class region : public region_addresses {
public:
    // Throws std::system_error if the system refuses.
    region();
    ~region();

    // The private map of page 0 to 16383, of which a slot was handed out.
    spa_map &map(std::uint32_t page) const { return map_of(key_of(page, 0)); }

    // The private map that has the element of `key`.
    spa_map &map_of(std::uintptr_t key) const {
        return *reinterpret_cast<spa_map *>(reinterpret_cast<char *>(head()) +
                                            (key & ~(spa_page_bytes - 1)));
    }

    region *next = nullptr; // committed.cpp's list

private:
    explicit region(std::size_t pages);
};

} // namespace saguaro::hyperobjects
