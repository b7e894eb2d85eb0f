// SPDX-License-Identifier: MIT
// The table of observers, and which of them hears.
#include "scheduler/observer.hpp"

#include "scheduler/runtime.hpp"
#include "scheduler/worker.hpp"

#include <algorithm>
#include <array>

namespace saguaro::record {
// src/record/recording.cpp. Named here, because a static library leaves out what nothing refers to.
extern const scheduler::observer_kind recording_kind;
extern const scheduler::observer_kind measuring_kind;
} // namespace saguaro::record

namespace saguaro::scheduler {

namespace {

constexpr std::array kinds{&record::recording_kind, &record::measuring_kind};

// Written while no workers run.
const observer_kind *instead = nullptr;

} // namespace

std::atomic<observer *> observer::now_{nullptr};
std::atomic<spawn_observer *> observer::of_spawns_{nullptr};

void observer::install(observer &o) {
    // Relaxed, all: see `now`.
    now_.store(&o, std::memory_order_relaxed);
    of_spawns_.store(o.hears_spawns(), std::memory_order_relaxed);
}

void observer::remove() {
    now_.store(nullptr, std::memory_order_relaxed);
    of_spawns_.store(nullptr, std::memory_order_relaxed);
}

spawn_observer *spawn_observer::of_this_strand() {
    return now() != nullptr && current_worker() != nullptr ? now() : nullptr;
}

bool spawn_observer::is_only_heard(const deque &d, sg_frame **slot) {
    return d.is_asked_for_nothing(slot) && !current_worker()->rt.counts;
}

const observer_kind *wanted_observer(const settings &s) {
    if (!s.is_observed)
        return nullptr;
    if (instead != nullptr)
        return instead;
    const auto found = std::find_if(kinds.begin(), kinds.end(),
                                    [&](const observer_kind *k) { return k->is_wanted(s); });
    return found == kinds.end() ? nullptr : *found;
}

void prepare_observers(settings &s) {
    for (const observer_kind *k : kinds)
        k->prepare(s);
}

void forget_observers() {
    observer::remove();
    for (const observer_kind *k : kinds)
        k->forked();
}

void observe_with(const observer_kind *kind) {
    instead = kind;
}

} // namespace saguaro::scheduler
