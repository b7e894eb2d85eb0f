// SPDX-License-Identifier: MIT
#include "hyperobjects/region.hpp"

#include <cerrno>
#include <system_error>

#include "platform/memory.hpp"

namespace saguaro::hyperobjects {

region::region() {
    void *const memory = platform::reserve_above(reinterpret_cast<void *>(sg_region_outside()),
                                                 platform::round_to_pages(region_bytes));
    if (memory == nullptr)
        throw std::system_error(errno, std::generic_category(), "mapping a worker's region");
    base_ = reinterpret_cast<std::uintptr_t>(memory) - sg_region_outside();
}

region::~region() {
    platform::release(head(), platform::round_to_pages(region_bytes));
}

} // namespace saguaro::hyperobjects
