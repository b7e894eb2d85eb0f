// SPDX-License-Identifier: MIT
// Views that travel: a worker leaves them at a full frame, and another worker merges them.
#pragma once

#include <cstdint>
#include <utility>

#include "hyperobjects/spa_map.hpp"

namespace saguaro::hyperobjects {

// One root computation, known by its address: the scheduler keeps one for each `run` that is
// under way, from `local::begin_run` to `local::finish_run`.
struct run {};

// A public SPA map: the copy of the private map of page `page`, in memory that every worker sees.
// The link stands behind the map, not in it: a map has no byte to spare.
struct public_map {
    spa_map map;
    public_map *next;
    std::uint32_t page;
};

// Takes the first map off the list, which must have one.
inline public_map *pop(public_map *&list) {
    return std::exchange(list, list->next);
}

// A set of views, at most one per reducer. A plain handle: whoever holds it owns what it names,
// and gives it up by handing it to `put`, `append`, `prepend` or `merge`. Copying the handle
// copies nothing else; handing it to another worker needs the synchronization of the handover.
struct view_set {
    // Public maps, each with at least one view, by ascending page.
    public_map *maps = nullptr;
    // The run whose serially first strand has this set, or null: what precedes the set in the
    // serial order is then only what happened before the run. At most one set of a run has it.
    run *leftmost = nullptr;

    // True if there is nothing to hand over: neither views nor the mark of a run.
    bool empty() const { return maps == nullptr && leftmost == nullptr; }
};

} // namespace saguaro::hyperobjects
