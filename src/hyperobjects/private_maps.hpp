// SPDX-License-Identifier: MIT
// A worker's private SPA maps: its copy of the region, and which pages of it are in use.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "hyperobjects/committed.hpp"
#include "hyperobjects/region.hpp"
#include "numa/near.hpp"

namespace saguaro::hyperobjects {

// Each map into which anything was put since it was last drained is in use, and no other: it stands
// once in a list, in the order of first use.
class private_maps {
public:
    // Throws std::system_error if the system refuses.
    private_maps() : used_(std::make_unique_for_overwrite<std::uint16_t[]>(region_pages)) {}

    region_head *head() const { return region_.head(); }

    void bring_to(unsigned node) {
        numa::bring(head(), SG_REGION_HEADER_BYTES + committed_pages() * spa_page_bytes, node);
        numa::bring(used_.get(), region_pages * sizeof(used_[0]), node);
    }

    bool are_unused() const { return used_count_ == 0; }

    // The map of `page`, to be put into: it is in use from then on.
    spa_map &touch(std::uint32_t page) noexcept {
        spa_map &map = region_.map(page);
        if (map.untouched())
            used_[used_count_++] = static_cast<std::uint16_t>(page);
        return map;
    }

    // The element of the reducer with this key, in this region. Null view: there is none.
    element &at(std::uintptr_t key) { return region_.map_of(key)[element_index(key)]; }

    // Puts a view into the private map, where the reducer has none.
    void insert(const sg_reducer *reducer, void *view) noexcept {
        touch(page_of_key(reducer->key)).insert(element_index(reducer->key), view, reducer);
    }

    // Takes the view of `key`, which is there, out of the private map.
    void remove(std::uintptr_t key) noexcept { region_.map_of(key).remove(element_index(key)); }

    // From now on in ascending order.
    void sort() { std::sort(used_.get(), used_.get() + used_count_); }

    // Calls visit(page, map) for each map in use, which drains it. None is in use afterwards.
    template <class Visit>
    void drain(Visit visit) {
        for (std::size_t at = 0; at < used_count_; ++at)
            visit(std::uint32_t{used_[at]}, region_.map(used_[at]));
        used_count_ = 0;
    }

private:
    region region_;
    std::unique_ptr<std::uint16_t[]> used_;
    std::size_t used_count_ = 0;
};

} // namespace saguaro::hyperobjects
