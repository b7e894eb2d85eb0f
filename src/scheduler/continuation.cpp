// SPDX-License-Identifier: MIT
#include "scheduler/continuation.hpp"

#include "platform/fence.hpp"
#include "saguaro/scope.hpp"
#include "scheduler/idle.hpp"
#include "scheduler/runtime.hpp"
#include "scheduler/worker.hpp"

#include <mutex>
#include <new>

namespace saguaro::scheduler {

namespace {

// The child takes its parent back from the chain. False: a thief has it.
bool pop_parent(worker &w) {
    deque **const slot = reinterpret_cast<deque **>(SG_REGION_GET(void **, chain)) - 1;
    SG_REGION_SET(chain, slot);
    // As sg_pop: the store, then the load; the thief's fence makes one of the two see the other.
    __atomic_store_n(slot, static_cast<deque *>(nullptr), __ATOMIC_RELAXED);
    platform::light_fence();
    chain &parents = w.parents;
    if (parents.exc.load(std::memory_order_relaxed) <= slot) [[likely]]
        return true;
    if (w.rt.counts())
        counters::bump(w.count.spawns);
    const std::lock_guard guard(parents.lock);
    return parents.head.load(std::memory_order_relaxed) <= slot;
}

// The first function on a child's stack.
stacks::context *run_spawned(void *argument) {
    deque &mine = *static_cast<deque *>(argument);
    deque &parent = *mine.begun.parent;
    try {
        mine.begun.body(mine.begun.closure, &mine);
    } catch (...) {
        mine.begun.owner->error().offer(mine.begun.key, std::current_exception());
    }
    worker &w = *current_worker();
    if (mine.begun.closure != nullptr) [[unlikely]] {
        // The closure's move threw: the parent has not been left behind.
        w.at_hand.give(mine.home());
        return nullptr;
    }
    // Acquire: pairs with take_continuation. Null here and taken in between: the pop will tell.
    if (mine.taken_child.load(std::memory_order_acquire) == nullptr && pop_parent(w)) [[likely]] {
        activate(w, parent);
        continue_exceptions(parent);
        w.at_hand.give(mine.home());
        return nullptr;
    }
    // Acquire: the pop may have waited for the thief's lock, under which this was written.
    child *const strand = mine.taken_child.load(std::memory_order_acquire);
    mine.reset();
    end_child(*strand);
    w.at_hand.give(mine.home());
    return &w.loop;
}

} // namespace

bool take_continuation(deque &parent) {
    void *&place = parent.spawning->record();
    if (place == nullptr)
        place = new (std::nothrow) scope_record;
    scope_record *const record = static_cast<scope_record *>(place);
    if (record == nullptr)
        return false;
    scope_record &youngest = record->open ? *parent.scopes : *record;
    child *const strand = new (std::nothrow) child(youngest.meeting);
    if (strand == nullptr)
        return false;
    if (!record->open) {
        record->open = true;
        record->older = parent.scopes;
        parent.scopes = record;
    }
    youngest.meeting.add_before_owner(*strand);
    // Release: pairs with the acquire loads in run_spawned.
    parent.spawned->taken_child.store(strand, std::memory_order_release);
    return true;
}

} // namespace saguaro::scheduler

namespace saguaro::detail {

using namespace scheduler;

// The fast path of a spawn: this function, the switch, publish_parent, run_spawned and the switch
// back; some 60 instructions. What the child needs is stored in its own deque, because the parent
// may be gone on with before the child ends; one by one, and so loaded, because a load that is wider
// than the stores waits until they have left the store buffer (15 ns each).
bool spawn_on_stack(sg_deque *parent_deque, scope &owner, spawned_body body, void *closure,
                    std::uint64_t key) {
    worker *const w = current_worker();
    if (w == nullptr)
        return false;
    deque **const slot = reinterpret_cast<deque **>(SG_REGION_GET(void **, chain));
    if (slot == w->parents.end) [[unlikely]]
        return false;
    stacks::stack *const s = w->at_hand.take();
    if (s == nullptr) [[unlikely]]
        return false;
    deque &parent = *static_cast<deque *>(parent_deque);
    deque &child = *deque_of(s);
    parent.spawning = &owner;
    parent.spawned = &child;
    child.begun.parent = &parent;
    child.begun.owner = &owner;
    child.begun.body = body;
    child.begun.closure = closure;
    child.begun.key = key;
    stacks::start_on(parent.home()->ctx, *s, run_spawned, &child);
    return true;
}

void publish_parent(sg_deque *child_deque) {
    deque &child = *static_cast<deque *>(child_deque);
    deque &parent = *child.begun.parent;
    worker &w = *current_worker();
    leave_exceptions(parent);
    child.begun.closure = nullptr;
    deque **const slot = reinterpret_cast<deque **>(SG_REGION_GET(void **, chain));
    // Release: pairs with chain::oldest; the parent's context and the above are visible.
    __atomic_store_n(slot, &parent, __ATOMIC_RELEASE);
    SG_REGION_SET(chain, slot + 1);
    // After the push: a thief that finds the child's deque must find its parents, too.
    activate(w, child);
    wake_if_any_sleeps();
}

void sync_scope(void *record) {
    deque &mine = *current_deque();
    const scope_record &last = *static_cast<scope_record *>(record);
    while (last.open) {
        scope_record &youngest = *mine.scopes;
        sync_owner(youngest.meeting);
        mine.scopes = youngest.older;
        youngest.open = false;
    }
}

void free_scope(void *record) {
    sync_scope(record);
    delete static_cast<scope_record *>(record);
}

} // namespace saguaro::detail
