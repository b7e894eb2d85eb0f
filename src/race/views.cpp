// SPDX-License-Identifier: MIT
// Making, passing on and joining views. Joins and the making of views are serial with all that they
// touch, so they are not checked.
#include "race/views.hpp"

#include "race/detector.hpp"
#include "saguaro/race.h"
#include "saguaro/reducer.h"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstdlib>
#include <utility>
#include <vector>

namespace saguaro::race {

namespace {

using reducer = const sg_reducer *;

struct view {
    reducer of;
    void *at;
};
using views = std::vector<view>;

// What a frame has of views. Frames without any have no entry.
struct frame_views {
    std::size_t depth;
    views before; // of children that have ended, joined
    views own;    // made or got since the last of them
};

// Never destroyed: the program may use reducers to its last.
std::vector<frame_views> &all_frames() {
    static std::vector<frame_views> *const there = new std::vector<frame_views>;
    return *there;
}

// That of the frame, which is the youngest one; null: it has none.
frame_views *entry_at(std::size_t depth) {
    auto &frames = all_frames();
    return !frames.empty() && frames.back().depth == depth ? &frames.back() : nullptr;
}

frame_views &make_entry(std::size_t depth) {
    frame_views *const there = entry_at(depth);
    return there != nullptr ? *there : all_frames().emplace_back(frame_views{depth, {}, {}});
}

void *find(const views &in, reducer wanted) {
    const auto found =
        std::find_if(in.begin(), in.end(), [&](const view &each) { return each.of == wanted; });
    return found != in.end() ? found->at : nullptr;
}

void *context_of(reducer of, const sg_monoid &monoid) {
    return monoid.context != nullptr ? monoid.context : const_cast<sg_reducer *>(of);
}

void end_view(reducer of, void *at) {
    if (of->monoid->destroy != nullptr)
        of->monoid->destroy(at, context_of(of, *of->monoid));
    std::free(at);
}

// left = left * right, for each reducer that has a view at the right.
void join(views &left, views &right) {
    for (const view &each : std::exchange(right, {})) {
        if (void *const mine = find(left, each.of)) {
            each.of->monoid->reduce(mine, each.at, context_of(each.of, *each.of->monoid));
            end_view(each.of, each.at);
        } else {
            left.push_back(each);
        }
    }
}

void join_all(frame_views &of) {
    if (of.before.empty())
        return;
    join(of.before, of.own);
    of.own.swap(of.before);
}

} // namespace

void sync_views(std::size_t depth) {
    if (frame_views *const its = entry_at(depth)) [[unlikely]] {
        const unchecked here;
        join_all(*its);
    }
}

void pass_views_down(std::size_t depth) {
    frame_views *const parents = entry_at(depth - 1);
    if (parents == nullptr || parents->own.empty()) [[likely]]
        return;
    const unchecked here;
    views passed = std::exchange(parents->own, {});
    make_entry(depth).own = std::move(passed);
}

void pass_views_up(std::size_t depth, bool is_child) {
    frame_views *const its = entry_at(depth);
    if (its == nullptr) [[likely]]
        return;
    const unchecked here;
    join_all(*its);
    views passed = std::move(its->own);
    all_frames().pop_back();
    if (passed.empty())
        return;
    frame_views &parents = make_entry(depth - 1);
    join(is_child ? parents.before : parents.own, passed);
}

} // namespace saguaro::race

using namespace saguaro::race;

namespace {

void *raw_view(const sg_monoid &m) {
    // aligned_alloc wants a multiple of the alignment.
    const std::size_t bytes = (m.size + m.alignment - 1) / m.alignment * m.alignment;
    return std::aligned_alloc(m.alignment, bytes);
}

[[gnu::noinline]] void *view_of(const sg_reducer *reducer) {
    const unchecked here;
    if (void *const there = find(make_entry(now.tree->depth()).own, reducer))
        return there;
    void *const made = raw_view(*reducer->monoid);
    if (made == nullptr)
        give_up("there is no memory for a reducer's view");
    reducer->monoid->identity(made, context_of(reducer, *reducer->monoid));
    // Making it may have used reducers.
    make_entry(now.tree->depth()).own.push_back({reducer, made});
    return made;
}

bool is_monoid(const sg_monoid *m) {
    return m != nullptr && m->identity != nullptr && m->reduce != nullptr && m->size != 0 &&
           std::has_single_bit(m->alignment) && m->alignment <= SG_VIEW_ALIGNMENT;
}

} // namespace

// What reducer.h declares; with SG_RACE the names are the detector's. The reducer's own memory
// stands for its value: an update reads it, and whoever asks for the value writes it.
extern "C" {

int sg_reducer_create_with(sg_reducer *reducer, const sg_monoid *monoid,
                           void (*make)(void *view, void *argument), void *argument) {
    if (reducer == nullptr || make == nullptr || !is_monoid(monoid))
        return EINVAL;
    const unchecked here;
    void *const first = raw_view(*monoid);
    if (first == nullptr)
        return ENOMEM;
    reducer->key = 0;
    reducer->monoid = monoid;
    make(first, argument);
    make_entry(now.tree->depth()).own.push_back({reducer, first});
    return 0;
}

int sg_reducer_create(sg_reducer *reducer, const sg_monoid *monoid) {
    if (reducer == nullptr || !is_monoid(monoid))
        return EINVAL;
    return sg_reducer_create_with(reducer, monoid, monoid->identity,
                                  monoid->context != nullptr ? monoid->context
                                                             : static_cast<void *>(reducer));
}

void sg_reducer_destroy(sg_reducer *reducer) {
    sg_race_write(reducer, sizeof(*reducer));
    const unchecked here;
    const auto is_its = [&](const view &each) { return each.of == reducer; };
    for (frame_views &each : all_frames())
        for (views *some : {&each.own, &each.before})
            if (void *const there = find(*some, reducer)) {
                end_view(reducer, there);
                std::erase_if(*some, is_its);
            }
}

void *sg_reducer_view(const sg_reducer *reducer) {
    sg_race_read(reducer, sizeof(*reducer));
    return view_of(reducer);
}
}
