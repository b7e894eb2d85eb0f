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
    head_ = static_cast<region_head *>(
        platform::reserve_addresses(platform::round_to_pages(region_bytes)));
    if (head_ == nullptr)
        refused();
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
