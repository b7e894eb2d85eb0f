// SPDX-License-Identifier: MIT
// Which slots of the region are taken: one global bitmap, and a small cache per worker.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "hyperobjects/region.hpp"
#include "platform/spin_lock.hpp"

namespace saguaro::hyperobjects {

// The global allocator. It hands out the lowest free slot, so that the reducers of a program lie
// on as few pages as they fit: pages in use are what a transferal walks. All zero when it starts,
// one static object of the library; 513 KB of which only the used part is touched.
class slot_allocator {
public:
    constexpr slot_allocator() = default;
    slot_allocator(const slot_allocator &) = delete;
    slot_allocator &operator=(const slot_allocator &) = delete;

    // Takes up to `count` slots, lowest first, for which there is memory in all regions
    // (committed.hpp), and returns how many it got. Any thread.
    std::size_t take(std::uint32_t *slots, std::size_t count) noexcept;

    // Gives slots back. Any thread.
    void give(const std::uint32_t *slots, std::size_t count) noexcept;

    // Keeps the highest `slots` slots from being taken, at first none: a test of exhaustion need
    // not create four million reducers.
    void withhold(std::size_t slots) noexcept;

    // Held across a fork, so that the child finds the bitmaps whole.
    platform::spin_lock &lock() { return lock_; }

private:
    static constexpr std::size_t word_bits = 64;
    static constexpr std::size_t page_words = 4; // 248 bits of 256
    static constexpr std::size_t full_words = region_pages / word_bits;

    std::uint32_t lowest_page() const noexcept;
    bool take_lowest(std::uint32_t &slot) noexcept;
    void give_one(std::uint32_t slot) noexcept;

    platform::spin_lock lock_; // guards all that follows
    std::size_t withheld_ = 0;
    std::array<std::uint64_t, region_pages * page_words> taken_{};    // a bit per slot
    std::array<std::uint64_t, full_words> full_{};                    // a bit per page
    std::array<std::uint64_t, full_words / word_bits> full_groups_{}; // a bit per word of full_
};

// The allocator of this process.
slot_allocator &global_slots();

// One worker's cache of free slots; the owner alone calls it.
class slot_cache {
public:
    slot_cache() = default;
    // Gives all back.
    ~slot_cache();
    slot_cache(const slot_cache &) = delete;
    slot_cache &operator=(const slot_cache &) = delete;

    // Takes a slot; false if none is left anywhere but in other workers' caches.
    bool take(std::uint32_t &slot) noexcept;

    // Gives a slot back.
    void give(std::uint32_t slot) noexcept;

private:
    static constexpr std::size_t most = 64;

    std::array<std::uint32_t, most> slots_; // taken from the end
    std::size_t count_ = 0;
};

} // namespace saguaro::hyperobjects
