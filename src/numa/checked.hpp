// SPDX-License-Identifier: MIT
// Local blocks by the malloc of AddressSanitizer or valgrind, which then sees uses past a block's
// end or after its free. In the pools it would see neither.
#pragma once

#include <cstddef>

namespace saguaro::numa {

// Whether one of them is in the process. The library that was compiled with AddressSanitizer itself
// has its pools, to be tested. Constant once the program's constructors run.
[[gnu::visibility("hidden")]] extern bool is_checked;

// What sg_malloc_local promises, but for the node: the system puts a page where it is touched
// first. Null: no memory.
void *take_checked(std::size_t bytes);

// Frees a block of take_checked. False: it is of sg_malloc_place.
bool give_back_checked(void *p);

} // namespace saguaro::numa
