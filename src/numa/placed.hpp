// SPDX-License-Identifier: MIT
// Blocks with a layout: a mapping each.
#pragma once

#include <saguaro/place.h>

#include <cstddef>
#include <cstdint>

namespace saguaro::numa {

// As sg_malloc_place. The errno in `error`.
void *take_placed(std::size_t bytes, const sg_layout &layout, int *error);

struct placed_counts {
    std::uint64_t unverified_pages;
    std::uint64_t failed;
};
placed_counts count_placed();

} // namespace saguaro::numa
