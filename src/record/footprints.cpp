// SPDX-License-Identifier: MIT
// saguaro/record.h: which object a footprint lies in.
#include "saguaro/record.h"

#include "numa/whereabouts.hpp"
#include "platform/forks.hpp"
#include "platform/settings.hpp"
#include "record/objects.hpp"
#include "record/recording.hpp"
#include "scheduler/variables.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <mutex>
#include <optional>

namespace saguaro::record {

namespace {

// Held across a fork, and so are the locks of place.h. A fork may take them in any order, because
// nobody else holds this one and asks for one of those.
std::mutex objects_lock;

// Guarded by the lock; threads use it until the end.
objects *known_objects = nullptr;

objects &known() {
    if (known_objects == nullptr)
        known_objects = new objects;
    return *known_objects;
}

[[gnu::constructor(102)]] void handle_forks() {
    platform::hold_across_forks<objects_lock>();
}

std::uintptr_t address(const void *p) {
    return reinterpret_cast<std::uintptr_t>(p);
}

layout layout_of(numa::spread how) {
    switch (how) {
    case numa::spread::one_node:
        return layout::on_node;
    case numa::spread::round_robin:
        return layout::round_robin;
    case numa::spread::blocked:
        return layout::blocked;
    case numa::spread::local: // of other workers it would be on other nodes: where they touch it
    case numa::spread::otherwise:
        break;
    }
    return layout::unplaced;
}

// What is in the recording of this strand, if there is any, is no more. What a thread outside frees
// stays in the recording until its end: its number is nobody else's.
void forget(const object &gone) {
    recording *const now = recording::of_this_strand();
    if (now == nullptr || gone.recording != now->number())
        return;
    const moments::pause here(now->out().time);
    now->out().time.free_object(gone.id);
}

void forget_between(const void *begin, const void *end) {
    const std::lock_guard guard(objects_lock);
    known().remove_between(address(begin), address(end), forget);
}

// The address is in no known object. Makes one of the memory of place.h that it lies in; false if
// it lies in none. Without the lock.
bool find_object(std::uintptr_t at) {
    const std::optional<numa::whereabouts> placed = numa::find(reinterpret_cast<const void *>(at));
    if (!placed)
        return false;
    numa::told_of_freed.store(forget_between, std::memory_order_relaxed);
    const std::lock_guard guard(objects_lock);
    if (known().at(at) == nullptr)
        known().add({placed->begin, placed->end, layout_of(placed->how), placed->node}, forget);
    return true;
}

// The object has a number in this recording.
void number(object &o, recording &now) {
    if (o.recording == now.number())
        return;
    o.recording = now.number();
    o.id = now.out().time.add_object(o.end - o.begin, o.how, static_cast<std::uint64_t>(o.node));
}

// The recorder pauses.
void note(recording &now, bool reuse, std::uintptr_t from, std::uintptr_t to) {
    std::unique_lock guard(objects_lock);
    while (from < to) {
        object *const o = known().at(from);
        if (o == nullptr) {
            guard.unlock();
            if (!find_object(from)) {
                now.miss_object();
                return;
            }
            guard.lock();
            continue;
        }
        number(*o, now);
        const std::uintptr_t end = std::min(to, o->end);
        now.out().time.touch(reuse, o->id, from - o->begin, end - from);
        from = end;
    }
}

// Objects are kept from before the workers start, if a run is going to be recorded.
bool will_record() {
    using saguaro::platform::made_once;
    static constinit made_once<bool> is_set;
    return is_set.get([] {
        return saguaro::platform::value_of(saguaro::scheduler::variables::record) != nullptr;
    }) || recording::now() != nullptr;
}

} // namespace

} // namespace saguaro::record

using namespace saguaro::record;

extern "C" {

void sg_record_footprint(int as, const void *p, size_t bytes) {
    recording *const now = recording::of_this_strand();
    if (now == nullptr || bytes == 0)
        return;
    const moments::pause here(now->out().time);
    note(*now, as == sg_record_as_reused, address(p), address(p) + bytes);
}

void sg_record_pause(void) {
    if (recording *const now = recording::of_this_strand())
        now->out().time.hold();
}

void sg_record_resume(void) {
    if (recording *const now = recording::of_this_strand())
        now->out().time.go_on();
}

void sg_record_object(const void *p, size_t bytes) {
    if (bytes == 0 || !will_record())
        return;
    object fresh{address(p), address(p) + bytes, layout::unplaced, 0};
    if (const auto placed = saguaro::numa::find(p); placed && placed->end >= fresh.end) {
        fresh.how = layout_of(placed->how);
        fresh.node = placed->node;
    }
    const std::lock_guard guard(objects_lock);
    known().add(fresh, forget);
}

void sg_record_free(const void *p) {
    if (!will_record())
        return;
    const std::lock_guard guard(objects_lock);
    if (object *const there = known().at(address(p));
        there != nullptr && there->begin == address(p))
        known().remove_between(there->begin, there->end, forget);
}
}
