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

region_addresses::region_addresses(std::size_t committed) {
    head_ = static_cast<region_head *>(
        platform::reserve_partly(platform::round_to_pages(region_bytes), committed));
    if (head_ == nullptr)
        refused();
}

region_addresses::~region_addresses() {
    platform::release(head(), platform::round_to_pages(region_bytes));
}

// Rarely another thread commits more pages meanwhile; the constructor below then adds them.
region::region() : region(committed_pages()) {}

region::region(std::size_t pages)
    : region_addresses(SG_REGION_HEADER_BYTES + pages * spa_page_bytes) {
    if (!commit_region(*this, pages))
        refused();
}

region::~region() {
    forget_region(*this);
}

} // namespace saguaro::hyperobjects
