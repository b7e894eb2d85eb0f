// SPDX-License-Identifier: MIT
// The region of the threads that are no workers, and each thread's pointer to the one that it sees.
#include "hyperobjects/region.hpp"

#include "platform/copies.hpp"
#include "platform/copy_table.hpp"

namespace saguaro::hyperobjects {

alignas(spa_page_bytes) char outside_region[region_bytes];

[[gnu::noinline]] void see_region(region_head *seen) {
    sg_region_tls = &seen->header;
}

} // namespace saguaro::hyperobjects

// Reading and writing it is the same in every thread, before constructors as well: the C library
// copies this value when it makes a thread.
__thread sg_region_header *sg_region_tls =
    reinterpret_cast<sg_region_header *>(saguaro::hyperobjects::outside_region);

namespace saguaro::hyperobjects {

namespace {

// Other copies of the library in the process see by the pointer whether a thread is in a run of
// this one's.
[[gnu::constructor(101)]] void tell_other_copies() {
    if (!platform::is_displaced())
        platform::enter_copy_table(reinterpret_cast<void **>(&sg_region_tls), outside_region);
}

[[gnu::destructor(101)]] void leave_other_copies() {
    platform::leave_copy_table();
}

} // namespace

} // namespace saguaro::hyperobjects

#if !(defined(__x86_64__) || defined(__aarch64__)) || defined(SG_GENERIC)

sg_region_header *sg_region_here(void) {
    return sg_region_tls;
}

#endif
