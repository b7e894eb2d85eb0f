// SPDX-License-Identifier: MIT
// Committing the pages of SPA maps in all regions at once, as slots are handed out.
#include "hyperobjects/committed.hpp"

#include "hyperobjects/outside.hpp"
#include "platform/copies.hpp"
#include "platform/memory.hpp"

#include <algorithm>
#include <atomic>

namespace saguaro::hyperobjects {

namespace {

// What a program with a thousand reducers needs: each more is asked for as many again.
constexpr std::size_t first_pages = 4;

constinit std::mutex lock; // guards what follows
constinit region *regions = nullptr;
constinit std::atomic<std::size_t> committed{0}; // pages; written under the lock

// The maps of pages `from` to `to` of a region that begins at `head`.
bool commit_maps(region_head *head, std::size_t from, std::size_t to) {
    return platform::commit(reinterpret_cast<char *>(head) + SG_REGION_HEADER_BYTES +
                                from * spa_page_bytes,
                            (to - from) * spa_page_bytes);
}

// Gives back all that was memory of the program from its begin, but for the head of the outside's
// region and what belongs to the first pages.
void begin(std::size_t pages) {
    const std::size_t kept = SG_REGION_HEADER_BYTES + pages * spa_page_bytes;
    platform::make_addresses(outside_region + kept, region_bytes - kept);
    forget_slot_memory(pages);
}

// The lock is held.
bool commit_up_to(std::size_t pages) {
    // Relaxed, here and below: written under the lock.
    const std::size_t before = committed.load(std::memory_order_relaxed);
    if (pages <= before)
        return true;
    pages = std::min(std::max(pages, before == 0 ? first_pages : 2 * before), region_pages);
    if (before == 0)
        begin(pages);
    else if (!commit_maps(outside_head(), before, pages) || !commit_slot_memory(before, pages))
        return false;
    for (region *each = regions; each != nullptr; each = each->next)
        if (!commit_maps(each->head(), before, pages))
            return false;
    // Release: pairs with the acquire in commit_page.
    committed.store(pages, std::memory_order_release);
    return true;
}

// Before a program's reducers are made, so that one that locks its memory has it by then.
[[gnu::constructor(101)]] void begin_before_the_program() {
    if (platform::is_displaced())
        return;
    const std::lock_guard guard(lock);
    commit_up_to(1); // refused, it is tried again
}

} // namespace

std::mutex &committed_lock() {
    return lock;
}

std::size_t committed_pages() {
    // Relaxed: a count, no more.
    return committed.load(std::memory_order_relaxed);
}

bool commit_page(std::uint32_t page) noexcept {
    // Acquire: pairs with the release in commit_up_to; what other threads have committed is there.
    if (page < committed.load(std::memory_order_acquire)) [[likely]]
        return true;
    const std::lock_guard guard(lock);
    return commit_up_to(page + 1);
}

bool commit_region(region &in, std::size_t pages) noexcept {
    const std::lock_guard guard(lock);
    const std::size_t now = committed.load(std::memory_order_relaxed);
    if (now > pages && !commit_maps(in.head(), pages, now))
        return false;
    in.next = regions;
    regions = &in;
    return true;
}

void forget_region(region &in) noexcept {
    const std::lock_guard guard(lock);
    region **link = &regions;
    while (*link != &in)
        link = &(*link)->next;
    *link = in.next;
}

} // namespace saguaro::hyperobjects
