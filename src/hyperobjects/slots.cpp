// SPDX-License-Identifier: MIT
// Finding free slots in the global bitmap, lowest first, and each worker's cache of them.
#include "hyperobjects/slots.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <functional>
#include <mutex>

#include "hyperobjects/committed.hpp"
#include "platform/sanitizer.hpp"

namespace saguaro::hyperobjects {

namespace {

constexpr std::uint64_t all_ones = ~std::uint64_t{0};

constexpr std::uint64_t bit(std::size_t index) {
    return std::uint64_t{1} << index % 64;
}

} // namespace

// The lowest page that is not full, or `region_pages`.
std::uint32_t slot_allocator::lowest_page() const noexcept {
    for (std::size_t group = 0; group < full_groups_.size(); ++group) {
        if (full_groups_[group] == all_ones)
            continue;
        const auto word =
            group * word_bits + static_cast<std::size_t>(std::countr_one(full_groups_[group]));
        return static_cast<std::uint32_t>(word * word_bits +
                                          static_cast<std::size_t>(std::countr_one(full_[word])));
    }
    return region_pages;
}

bool slot_allocator::take_lowest(std::uint32_t &slot) noexcept {
    const std::uint32_t page = lowest_page();
    if (page == region_pages)
        return false;
    std::uint64_t *const words = &taken_[page * page_words];
    std::uint32_t index = 0;
    for (std::size_t word = 0; word < page_words; ++word) {
        index = static_cast<std::uint32_t>(word * word_bits) +
                static_cast<std::uint32_t>(std::countr_one(words[word]));
        if (words[word] != all_ones)
            break;
    }
    slot = static_cast<std::uint32_t>(page * spa_elements) + index;
    if (slot >= region_slots - withheld_)
        return false;

    words[index / word_bits] |= bit(index);
    // Lowest first: the page is full if there is nothing above the slot and nothing below it.
    const bool full =
        words[0] == all_ones && words[1] == all_ones && words[2] == all_ones &&
        static_cast<std::size_t>(std::countr_one(words[3])) == spa_elements - 3 * word_bits;
    if (full) {
        full_[page / word_bits] |= bit(page);
        if (full_[page / word_bits] == all_ones)
            full_groups_[page / word_bits / word_bits] |= bit(page / word_bits);
    }
    return true;
}

void slot_allocator::give_one(std::uint32_t slot) noexcept {
    const std::size_t page = slot / spa_elements;
    const std::size_t index = slot % spa_elements;
    std::uint64_t &word = taken_[page * page_words + index / word_bits];
    assert((word & bit(index)) != 0);
    word &= ~bit(index);
    full_[page / word_bits] &= ~bit(page);
    full_groups_[page / word_bits / word_bits] &= ~bit(page / word_bits);
}

std::size_t slot_allocator::take(std::uint32_t *slots, std::size_t count) noexcept {
    std::size_t got = 0;
    {
        const std::lock_guard guard(lock_);
        while (got < count && take_lowest(slots[got]))
            ++got;
        platform::take_over(this);
    }
    // The lowest first, so those for which there is no memory are the last ones.
    std::size_t usable = 0;
    while (usable < got && commit_page(slots[usable] / spa_elements))
        ++usable;
    if (usable < got)
        give(slots + usable, got - usable);
    return usable;
}

void slot_allocator::give(const std::uint32_t *slots, std::size_t count) noexcept {
    platform::hand_over(this);
    const std::lock_guard guard(lock_);
    for (std::size_t at = 0; at < count; ++at)
        give_one(slots[at]);
}

void slot_allocator::withhold(std::size_t slots) noexcept {
    const std::lock_guard guard(lock_);
    withheld_ = slots;
}

slot_allocator &global_slots() {
    // Constant-initialized and never destroyed: static objects may be reducers, in any order.
    static constinit slot_allocator slots;
    return slots;
}

slot_cache::~slot_cache() {
    global_slots().give(slots_.data(), count_);
}

bool slot_cache::take(std::uint32_t &slot) noexcept {
    if (count_ == 0) {
        count_ = global_slots().take(slots_.data(), most / 2);
        if (count_ == 0)
            return false;
        std::reverse(slots_.begin(), slots_.begin() + count_);
    }
    slot = slots_[--count_];
    return true;
}

void slot_cache::give(std::uint32_t slot) noexcept {
    if (count_ == most) {
        // The lower half stays, at the end, so that the next reducers lie on the lowest pages.
        const auto half = slots_.begin() + most / 2;
        std::nth_element(slots_.begin(), half, slots_.end(), std::greater<>());
        global_slots().give(slots_.data(), most / 2);
        count_ = static_cast<std::size_t>(std::copy(half, slots_.end(), slots_.begin()) -
                                          slots_.begin());
    }
    slots_[count_++] = slot;
}

} // namespace saguaro::hyperobjects
