// SPDX-License-Identifier: MIT
// A worker's share of the reducers: its region with the private SPA maps, its part of the pools,
// and the operations by which views travel. The scheduler's side of this floor.
#pragma once

#include <cstdint>

#include "hyperobjects/page_pool.hpp"
#include "hyperobjects/private_maps.hpp"
#include "hyperobjects/region.hpp"
#include "hyperobjects/slots.hpp"
#include "hyperobjects/times.hpp"
#include "hyperobjects/view_cache.hpp"
#include "hyperobjects/view_set.hpp"

namespace saguaro::hyperobjects {

// Counted by the owner without synchronization: exact once the worker is quiet.
struct counters {
    std::uint64_t views = 0;       // identity views that lookups created
    std::uint64_t transferals = 0; // `take`s and `put`s that moved at least one view
    std::uint64_t merges = 0;      // hypermerges of two sets that both had views
    std::uint64_t reduces = 0;     // calls of a monoid's reduce

    // With times kept: how long it took to
    account creation;   // make identity views,
    account insertion;  // put them into the private maps,
    account transferal; // move views between private and public maps,
    account merging;    // join sets that both had views, the monoids' reduce included.
};

// One worker's views. Made and destroyed by any thread, at a time when the worker does not run;
// between `attach` and `detach` only the attached thread calls the rest. The private set is that
// of the strand which the thread executes; it stays when the thread detaches.
//
// Operations that merge call the monoids' reduce functions: these must not look up a reducer, and
// an exception that leaves one ends the program. So does the lack of memory for what has to be kept
// meanwhile. They may spawn if nothing of that is stolen: the scheduler sees to it.
class local {
public:
    // Maps the region: address space for all pages, memory only for those that come into use.
    // Throws std::system_error if the system refuses.
    local();
    // The private set must be empty.
    ~local();
    local(const local &) = delete;
    local &operator=(const local &) = delete;

    // Makes the calling thread see this region, until `detach` makes it see what it saw before: the
    // outside, or the region of its flows (flows.hpp). A few instructions.
    void attach();
    void detach();

    // Moves what of the region is memory to a node of memory, by its index. While nobody is
    // attached.
    void bring_to(unsigned node);

    // The header of this worker's region, all null at first. What it holds is the scheduler's.
    sg_region_header *header() { return &own_maps.head()->header; }

    // View transferal: the private set as public maps. The private one is left empty, without the
    // mark of a run. Linear in the number of views; one load and a branch if there are none.
    view_set take() noexcept;

    // The reverse: the private set, which must be empty and unmarked, becomes `set`. Its maps go
    // back to the pool.
    void put(view_set set) noexcept;

    // private = private (x) right: `right` comes later in the serial order.
    void append(view_set right) noexcept;

    // private = left (x) private: `left` comes earlier in the serial order.
    void prepend(view_set left) noexcept;

    // Returns left (x) right, without looking at the private set. Page by page it walks the map
    // with the fewer views, whichever side it is.
    view_set merge(view_set left, view_set right) noexcept;

    // Starts a run: the private set must be empty and unmarked, and now belongs to the serially
    // first strand of `root`. `root` must stay where it is until `finish_run`.
    void begin_run(run &root) noexcept;

    // Ends a run: the private set is marked with `root` and holds all that is left of its views.
    // Each is folded into the value that the outside sees, or, if another run holds that value,
    // kept for that run's end. The private set is then empty and unmarked.
    void finish_run(run &root) noexcept;

    // True if the private set has no views and no mark.
    bool idle() const { return own_maps.are_unused() && leftmost_ == nullptr; }

    // True if the private set has the mark: the strand is the serially first of its run. Of strands
    // of one run that run at the same time it is true for one at most.
    bool is_serially_first() const { return leftmost_ != nullptr; }

    const counters &count() const { return counters_; }

    // Whether the times of `counters` are kept; they are not at first. While nobody is attached.
    void keep_times(bool keep);

    // For reducer.cpp: lookups that miss, creation and destruction on a worker.

    // The worker's view of `reducer`, which had none: the outside one if this strand is the
    // serially first of a run and nobody holds it, otherwise a new identity. Throws what the
    // monoid's identity throws, or std::bad_alloc; nothing has changed then.
    void *miss(const sg_reducer *reducer);

    private_maps own_maps;

    // The worker's free slots.
    slot_cache &free_slots() { return slots_; }

    // The reducer whose views are being joined, by functions of its monoid; null: none. For
    // messages.
    const sg_reducer *joined = nullptr;

private:
    friend struct after_identity;

    void *make_identity(const sg_reducer *reducer);
    void join(public_map *maps, bool public_is_left) noexcept;
    void merge_maps(std::uint32_t page, spa_map &from, spa_map &into, bool from_is_left) noexcept;
    void merge_in(public_map *maps, bool public_is_left) noexcept;
    public_map *merge_pair(public_map *left, public_map *right) noexcept;

    region_head *former_ = nullptr; // what the thread that is attached saw before
    void *aside_ = nullptr;         // and its flow
    run *leftmost_ = nullptr;
    page_cache pages_;
    view_cache view_memory_;
    slot_cache slots_;
    counters counters_;
    bool keeps_times_ = false;
};

// The `local` that the calling thread is attached to; null outside.
local *current_local();

} // namespace saguaro::hyperobjects
