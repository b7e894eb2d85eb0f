// SPDX-License-Identifier: MIT
// Moving empty public SPA maps between the workers' caches and the global pool.
#include "hyperobjects/page_pool.hpp"

#include <mutex>
#include <new>

#include "platform/no_memory.hpp"
#include "platform/spin_lock.hpp"

namespace saguaro::hyperobjects {

namespace {

constinit platform::spin_lock global_lock; // guards global_free
constinit public_map *global_free = nullptr;

void push(public_map *&list, public_map *map) {
    map->next = list;
    list = map;
}

} // namespace

platform::spin_lock &page_pool_lock() {
    return global_lock;
}

page_cache::~page_cache() {
    give_back(count_);
}

public_map *page_cache::get(std::uint32_t page) noexcept {
    if (free_ == nullptr)
        refill();
    public_map *const map = pop(free_);
    --count_;
    map->next = nullptr;
    map->page = page;
    return map;
}

void page_cache::put(public_map *map) noexcept {
    if (count_ == most)
        give_back(most / 2);
    push(free_, map);
    ++count_;
}

// Brings half a cache from the global pool, or one new map if that is empty.
void page_cache::refill() noexcept {
    {
        const std::lock_guard guard(global_lock);
        for (; count_ < most / 2 && global_free != nullptr; ++count_)
            push(free_, pop(global_free));
    }
    if (free_ == nullptr) {
        // Value-initialized: all zero, which is the empty map.
        auto *const map = new (std::nothrow) public_map();
        if (map == nullptr)
            platform::end_without_memory("the views of finished work");
        push(free_, map);
        ++count_;
    }
}

void page_cache::give_back(std::size_t count) noexcept {
    const std::lock_guard guard(global_lock);
    for (std::size_t at = 0; at < count; ++at)
        push(global_free, pop(free_));
    count_ -= count;
}

} // namespace saguaro::hyperobjects
