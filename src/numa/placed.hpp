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

// As sg_malloc_place. The errno in `error`.
void *take_placed(std::size_t bytes, const sg_layout &layout, int *error);

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
