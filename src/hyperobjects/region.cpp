// SPDX-License-Identifier: MIT
// Mapping a region's addresses and unmapping them.
#include "hyperobjects/region.hpp"

#include <cerrno>
#include <system_error>

#include "hyperobjects/committed.hpp"
#include "platform/memory.hpp"

namespace saguaro::hyperobjects {

namespace {

[[noreturn]] void refused() {
    throw std::system_error(errno, std::generic_category(), "mapping a worker's region");
}

} // namespace

region_addresses::region_addresses() {
    void *const memory = platform::reserve_addresses_above(
        reinterpret_cast<void *>(sg_region_outside()), platform::round_to_pages(region_bytes));
    if (memory == nullptr)
        refused();
    base_ = reinterpret_cast<std::uintptr_t>(memory) - sg_region_outside();
}

region_addresses::~region_addresses() {
    platform::release(head(), platform::round_to_pages(region_bytes));
}

region::region() {
    if (!commit_region(*this))
        refused();
}

region::~region() {
    forget_region(*this);
}

} // namespace saguaro::hyperobjects
