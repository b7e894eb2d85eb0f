// SPDX-License-Identifier: MIT
// Blocks with a layout: a mapping each.
#pragma once

#include <saguaro/place.h>

#include "numa/segment.hpp"
#include "platform/spin_lock.hpp"

#include <cstddef>
#include <cstdint>
#include <mutex>

namespace saguaro::numa {

// As sg_malloc_place. The errno in `error`; whoever gets null is counted.
void *take_placed(std::size_t bytes, const sg_layout &layout, int *error);

// Whether all that the layout says without a page is right: each node of a list takes part, also
// one that no page reaches. Defined beside the layouts.
bool is_valid(const sg_layout &layout);

// Frees one.
void give_placed_back(segment *placed);

// All placed blocks, and what guards them: a leaf, held across a fork.
extern segment_list placed_blocks;
platform::spin_lock &placed_lock();

// Calls visit(segment) for the one that the address lies in, under the lock.
template <class Visit>
void visit_placed(std::uintptr_t address, Visit visit) {
    const std::lock_guard guard(placed_lock());
    placed_blocks.visit_at(address, visit);
}

struct placed_counts {
    std::uint64_t unverified_pages;
    std::uint64_t failed;
};
placed_counts count_placed();

} // namespace saguaro::numa
