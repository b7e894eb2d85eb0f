// SPDX-License-Identifier: MIT
// A worker's private views: making, taking, inserting and merging them page by page.
#include "hyperobjects/local.hpp"

#include "hyperobjects/flows.hpp"

#include <cassert>
#include <new>
#include <utility>

#include "hyperobjects/outside.hpp"
#include "hyperobjects/view.hpp"

namespace saguaro::hyperobjects {

namespace {

// The mark of two sets that become one: at most one has it.
run *mark_of(run *one, run *other) {
    assert(one == nullptr || other == nullptr);
    return one != nullptr ? one : other;
}

} // namespace

local *current_local() {
    return seen_region()->owner;
}

local::local() {
    own_maps.head()->owner = this;
}

local::~local() {
    assert(idle());
}

void local::attach() {
    former_ = seen_region();
    aside_ = set_flow_aside(former_);
    see_region(own_maps.head());
}

void local::detach() {
    see_region(former_);
    bring_flow_back(former_, aside_);
}

void local::bring_to(unsigned node) {
    own_maps.bring_to(node);
}

void local::keep_times(bool keep) {
    if (keep)
        prepare_times();
    keeps_times_ = keep;
}

// What is done after a monoid's identity, which may spawn, and go on on another worker: nothing of
// the first is used. The functions are not inlined for the same reason.
struct after_identity {
    static void give_memory(const sg_monoid &monoid, void *view);
    static void *keep(const sg_reducer *reducer, void *view, lap_timer &timer);
};

[[gnu::noinline]] void after_identity::give_memory(const sg_monoid &monoid, void *view) {
    current_local()->view_memory_.give(monoid, view);
}

[[gnu::noinline]] void *after_identity::keep(const sg_reducer *reducer, void *view,
                                             lap_timer &timer) {
    local &here = *current_local();
    timer.charge(here.counters_.creation);
    if (void *const other = here.own_maps.at(reducer->key).view) {
        // A child of the identity's has used the reducer.
        end_value(reducer, view);
        give_memory(*reducer->monoid, view);
        return other;
    }
    ++here.counters_.views;
    here.own_maps.insert(reducer, view);
    timer.charge(here.counters_.insertion);
    return view;
}

// A new identity view. Throws std::bad_alloc, and what the monoid's identity throws.
void *local::make_identity(const sg_reducer *reducer) {
    const sg_monoid &monoid = *reducer->monoid;
    void *const view = view_memory_.take(monoid);
    if (view == nullptr)
        throw std::bad_alloc();
    try {
        monoid.identity(view, context_of(reducer));
    } catch (...) {
        after_identity::give_memory(monoid, view);
        throw;
    }
    return view;
}

void *local::miss(const sg_reducer *reducer) {
    const std::uintptr_t key = reducer->key;
    if (leftmost_ != nullptr && claim_outside(key, *leftmost_)) {
        void *const view = outside_element(key).view;
        own_maps.insert(reducer, view);
        return view;
    }
    lap_timer timer(keeps_times_ && counters_.views % views_a_sample == 0, views_a_sample);
    return after_identity::keep(reducer, make_identity(reducer), timer);
}

view_set local::take() noexcept {
    view_set set{nullptr, std::exchange(leftmost_, nullptr)};
    if (own_maps.are_unused())
        return set;
    lap_timer timer(keeps_times_);
    // Ascending, as sets are: two of them can then be matched in one pass.
    own_maps.sort();
    public_map **end = &set.maps;
    own_maps.drain([&](std::uint32_t page, spa_map &from) {
        public_map *into = nullptr;
        from.drain([&](std::size_t index, const element &entry) {
            if (into == nullptr)
                into = pages_.get(page);
            into->map.insert(index, entry.view, entry.reducer);
        });
        if (into != nullptr) {
            *end = into;
            end = &into->next;
        }
    });
    if (set.maps != nullptr)
        ++counters_.transferals;
    timer.charge(counters_.transferal);
    return set;
}

// Joins the views of one page: all of `from` go to `into`, in the serial order that
// `from_is_left` tells. `from` is left empty.
void local::merge_maps(std::uint32_t page, spa_map &from, spa_map &into,
                       bool from_is_left) noexcept {
    const sg_reducer *const before = joined;
    from.drain([&](std::size_t index, const element &entry) {
        element &mine = into[index];
        if (mine.view == nullptr) {
            into.insert(index, entry.view, entry.reducer);
            return;
        }
        const std::uintptr_t key = key_of(page, index);
        check_alive(key, entry);
        check_alive(key, mine);
        void *const left = from_is_left ? entry.view : mine.view;
        void *const right = from_is_left ? mine.view : entry.view;
        check_not_outside(key, right);
        const sg_reducer *const reducer = entry.reducer;
        joined = reducer;
        reducer->monoid->reduce(left, right, context_of(reducer));
        end_value(reducer, right);
        view_memory_.give(*reducer->monoid, right);
        ++counters_.reduces;
        mine.view = left;
    });
    joined = before;
}

// Joins public maps into the private set. It is always the public ones that are walked, large or
// small: each of their views has to be copied into the region in any case.
void local::merge_in(public_map *maps, bool public_is_left) noexcept {
    while (maps != nullptr) {
        public_map *const from = pop(maps);
        merge_maps(from->page, from->map, own_maps.touch(from->page), public_is_left);
        pages_.put(from);
    }
}

void local::put(view_set set) noexcept {
    assert(idle());
    leftmost_ = set.leftmost;
    if (set.maps == nullptr)
        return;
    ++counters_.transferals;
    lap_timer timer(keeps_times_);
    merge_in(set.maps, false);
    timer.charge(counters_.transferal);
}

// Joins public maps with the private set, which may be empty.
void local::join(public_map *maps, bool public_is_left) noexcept {
    if (maps == nullptr)
        return;
    const bool both = !own_maps.are_unused();
    if (both)
        ++counters_.merges;
    lap_timer timer(keeps_times_);
    merge_in(maps, public_is_left);
    timer.charge(both ? counters_.merging : counters_.transferal);
}

void local::append(view_set right) noexcept {
    leftmost_ = mark_of(right.leftmost, leftmost_);
    join(right.maps, false);
}

void local::prepend(view_set left) noexcept {
    leftmost_ = mark_of(left.leftmost, leftmost_);
    join(left.maps, true);
}

// Joins two public maps of the same page into the one with more views.
public_map *local::merge_pair(public_map *left, public_map *right) noexcept {
    const bool walk_left = left->map.size() < right->map.size();
    public_map *const from = walk_left ? left : right;
    public_map *const into = walk_left ? right : left;
    merge_maps(from->page, from->map, into->map, walk_left);
    pages_.put(from);
    return into;
}

view_set local::merge(view_set left, view_set right) noexcept {
    view_set result{nullptr, mark_of(left.leftmost, right.leftmost)};
    const bool both = left.maps != nullptr && right.maps != nullptr;
    if (both)
        ++counters_.merges;
    lap_timer timer(keeps_times_ && both);
    public_map **end = &result.maps;
    while (left.maps != nullptr && right.maps != nullptr) {
        if (left.maps->page < right.maps->page)
            *end = pop(left.maps);
        else if (right.maps->page < left.maps->page)
            *end = pop(right.maps);
        else
            *end = merge_pair(pop(left.maps), pop(right.maps));
        end = &(*end)->next;
    }
    *end = left.maps != nullptr ? left.maps : right.maps;
    timer.charge(counters_.merging);
    return result;
}

void local::begin_run(run &root) noexcept {
    assert(idle());
    leftmost_ = &root;
}

void local::finish_run(run &root) noexcept {
    assert(leftmost_ == &root);
    own_maps.drain([&](std::uint32_t page, spa_map &from) {
        from.drain([&](std::size_t index, const element &entry) {
            const std::uintptr_t key = key_of(page, index);
            check_alive(key, entry);
            joined = entry.reducer;
            counters_.reduces += entry.view == outside_element(key).view
                                     ? release_outside(entry.reducer)
                                     : deposit_outside(entry.reducer, entry.view, root);
        });
    });
    joined = nullptr;
    leftmost_ = nullptr;
}

} // namespace saguaro::hyperobjects
