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

// A reducer's key is the absolute address of its element in `sg_outside`; a slot is its number.
inline std::uintptr_t key_of(std::size_t page, std::size_t index) {
    return sg_region_outside() + SG_REGION_HEADER_BYTES + page * spa_page_bytes +
           index * sizeof(element);
}

inline std::uintptr_t key_of_slot(std::uint32_t slot) {
    return key_of(slot / spa_elements, slot % spa_elements);
}

// Page of a key, 0 to 16383.
inline std::uint32_t page_of_key(std::uintptr_t key) {
    return static_cast<std::uint32_t>((key - sg_region_outside() - SG_REGION_HEADER_BYTES) /
                                      spa_page_bytes);
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
    return *reinterpret_cast<element *>(key);
}

// Addresses for a copy of the region.
class region_addresses {
public:
    // Above `sg_outside` if there is room: see region_low.cpp. Throws std::system_error if the
    // system refuses.
    region_addresses();
    ~region_addresses();
    region_addresses(const region_addresses &) = delete;
    region_addresses &operator=(const region_addresses &) = delete;

    // The distance from `sg_outside` to this region, a multiple of the page size.
    std::uintptr_t base() const { return base_; }

    region_head *head() const {
        return reinterpret_cast<region_head *>(sg_region_outside() + base_);
    }

private:
    std::uintptr_t base_;
};

// A worker's copy of the region: memory as far as reducers have slots (committed.hpp).
class region : public region_addresses {
public:
    // Throws std::system_error if the system refuses.
    region();
    ~region();

    // The private map of page 0 to 16383, of which a slot was handed out.
    spa_map &map(std::uint32_t page) const {
        return *reinterpret_cast<spa_map *>(sg_region_outside() + base() + SG_REGION_HEADER_BYTES +
                                            page * spa_page_bytes);
    }

    // The private map that has the element of `key`.
    spa_map &map_of(std::uintptr_t key) const {
        return *reinterpret_cast<spa_map *>((key & ~(spa_page_bytes - 1)) + base());
    }

    region *next = nullptr; // committed.cpp's list
};

} // namespace saguaro::hyperobjects
