// SPDX-License-Identifier: MIT
#include "hyperobjects/region.hpp"

#include <cerrno>
#include <system_error>

#include "platform/memory.hpp"

// Zero pages of the program, so that a key is an address fixed for the whole process.
alignas(saguaro::hyperobjects::spa_page_bytes) char sg_outside[saguaro::hyperobjects::region_bytes];

#if !defined(__x86_64__) || defined(SG_GENERIC)
char *const sg_outside_address = sg_outside;
#endif

namespace saguaro::hyperobjects {

region::region() {
    void *const memory = platform::reserve(platform::round_to_pages(region_bytes));
    if (memory == nullptr)
        throw std::system_error(errno, std::generic_category(), "mapping a worker's region");
    base_ = reinterpret_cast<std::uintptr_t>(memory) - sg_region_outside();
}

region::~region() {
    platform::release(head(), platform::round_to_pages(region_bytes));
}

} // namespace saguaro::hyperobjects
