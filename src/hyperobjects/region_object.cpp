// SPDX-License-Identifier: MIT
// The region of the threads that are no workers, as an object of the program: zero pages, so that a
// key is an address fixed for the whole process. region_low.cpp stands in its place where that
// address would be too high.
#include "hyperobjects/region.hpp"

using saguaro::hyperobjects::region_bytes;
using saguaro::hyperobjects::spa_page_bytes;

#if defined(__x86_64__) && !defined(SG_GENERIC)

// Named in assembly alone (sg_region_outside).
extern "C" {
[[gnu::used]] alignas(spa_page_bytes) char sg_outside[region_bytes];
}

#else

alignas(spa_page_bytes) static char outside[region_bytes];
char *const sg_outside_address = outside;

#endif
