// SPDX-License-Identifier: MIT
// The hypermap's hash table: finding, inserting, removing and merging views.
#include "micro/lookups/hypermap.hpp"

#include <bit>

namespace saguaro::bench {

namespace {

/// Slots of the first table that is allocated.
constexpr std::size_t first_capacity = 8;

} // namespace

/// Where the reducer is, or where it would go.
std::size_t hypermap::slot_for(const hypermap_key *key) const {
    std::size_t at = home(key);
    while (table[at].key != key && table[at].key != nullptr)
        at = (at + 1) & mask;
    return at;
}

void hypermap::insert(const hypermap_key *key, void *view) {
    if (memory == nullptr || 2 * (used + 1) > mask + 1)
        grow();
    table[slot_for(key)] = {key, view};
    used++;
}

void hypermap::grow() {
    std::size_t capacity = memory == nullptr ? first_capacity : 2 * (mask + 1);
    auto greater = std::make_unique<entry[]>(capacity);
    std::unique_ptr<entry[]> old = std::exchange(memory, std::move(greater));
    std::size_t old_capacity = mask + 1;
    table = memory.get();
    mask = capacity - 1;
    shift = 64 - static_cast<unsigned>(std::countr_zero(capacity));
    if (old == nullptr)
        return;
    for (std::size_t at = 0; at < old_capacity; at++)
        if (old[at].key != nullptr)
            table[slot_for(old[at].key)] = old[at];
}

void *hypermap::remove(const hypermap_key *key) {
    std::size_t hole = slot_for(key);
    void *view = table[hole].view;
    used--;
    // What stands behind, up to the next gap, moves up where a lookup would no longer find it.
    for (std::size_t at = (hole + 1) & mask; table[at].key != nullptr; at = (at + 1) & mask) {
        if (((at - home(table[at].key)) & mask) >= ((at - hole) & mask)) {
            table[hole] = table[at];
            hole = at;
        }
    }
    table[hole] = {nullptr, nullptr};
    return view;
}

/// All views of this table go to `other`, whose views come later in the serial order or earlier.
void hypermap::walk_into(hypermap &other, bool other_is_later) {
    for (std::size_t at = 0; used != 0; at++) {
        entry mine = std::exchange(table[at], {nullptr, nullptr});
        if (mine.key == nullptr)
            continue;
        used--;
        entry &theirs = other.table[other.slot_for(mine.key)];
        if (theirs.key == nullptr) {
            other.insert(mine.key, mine.view);
        } else if (other_is_later) {
            mine.key->reduce(mine.view, theirs.view);
            theirs.view = mine.view;
        } else {
            mine.key->reduce(theirs.view, mine.view);
        }
    }
}

void hypermap::merge(hypermap &later) {
    hypermap_times both = times;
    both.creation.add(later.times.creation);
    both.insertion.add(later.times.insertion);
    if (used < later.used) {
        walk_into(later, true);
        swap(later);
    } else {
        later.walk_into(*this, false);
    }
    times = both;
}

void hypermap::swap(hypermap &other) noexcept {
    std::swap(times, other.times);
    std::swap(table, other.table);
    std::swap(mask, other.mask);
    std::swap(shift, other.shift);
    std::swap(used, other.used);
    std::swap(memory, other.memory);
}

} // namespace saguaro::bench
