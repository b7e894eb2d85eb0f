// SPDX-License-Identifier: MIT
// Pools of empty public SPA maps: a small one per worker, and a global one that evens them out.
#pragma once

#include <cstddef>
#include <cstdint>

#include "hyperobjects/view_set.hpp"
#include "platform/spin_lock.hpp"

namespace saguaro::hyperobjects {

// One worker's pool; the owner alone calls it. Maps are empty while they are in a pool, so that
// taking one needs no zeroing. The global pool grows to the most maps that were ever in use at
// once and keeps them.
class page_cache {
public:
    page_cache() = default;
    // Gives all back to the global pool.
    ~page_cache();
    page_cache(const page_cache &) = delete;
    page_cache &operator=(const page_cache &) = delete;

    // An empty map for page `page`, its link null. Ends the program with a message if there is no
    // memory: views half moved could not be put back.
    public_map *get(std::uint32_t page) noexcept;

    // Takes back an empty map.
    void put(public_map *map) noexcept;

private:
    // 32 pages of 4 KB: steals and joins of a worker alternate, so that few are ever out at once.
    static constexpr std::size_t most = 32;

    void refill() noexcept;
    void give_back(std::size_t count) noexcept;

    public_map *free_ = nullptr;
    std::size_t count_ = 0;
};

// What guards the global pool: held across a fork, so that the child finds it whole.
platform::spin_lock &page_pool_lock();

} // namespace saguaro::hyperobjects
