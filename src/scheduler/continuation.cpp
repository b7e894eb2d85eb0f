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

// Three ends of a child. The first is the fast path and is inlined; the others are out of line, so
// that it saves no registers for them.

// The parent goes on where it was left.
inline stacks::context *end_before_parent(worker &w, deque &mine) {
    deque &parent = *mine.begun.parent;
    activate(w, &parent);
    if (mine.begun.state != mine.begun.published) [[unlikely]]
        continue_exceptions(parent);
    w.at_hand.give(mine.home());
    return nullptr;
}

// With statistics on no pop of a parent is fast, so every child is counted once.
void count_spawn(worker &w) {
    if (w.rt.counts())
        counters::bump(w.count.spawns);
}

// A thief has the parent: the child is a strand of its own.
[[gnu::noinline, gnu::cold]] stacks::context *end_apart(worker &w, deque &mine) {
    count_spawn(w);
    // Acquire: pairs with take_continuation.
    child *const strand = mine.taken_child.load(std::memory_order_acquire);
    mine.reset();
    end_child(*strand);
    w.at_hand.give(mine.home());
    return &w.loop;
}

// The pop of the parent, in `slot`, has found `exc` raised.
[[gnu::noinline, gnu::cold]] stacks::context *end_by_lock(worker &w, deque &mine, deque **slot) {
    bool taken;
    {
        const std::lock_guard guard(w.parents.lock);
        taken = w.parents.head.load(std::memory_order_relaxed) > slot;
    }
    if (taken)
        return end_apart(w, mine);
    count_spawn(w);
    return end_before_parent(w, mine);
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
    // Release: pairs with the acquire loads in end_child.
    parent.spawned->taken_child.store(strand, std::memory_order_release);
    return true;
}

} // namespace saguaro::scheduler

namespace saguaro::detail {

using namespace scheduler;

// The fast path of a spawn is prepare_child, start_child, publish_parent and end_child: some 70
// instructions, 10 ns. What the child needs is stored in its own deque, because the parent may be
// gone on with before the child ends; one by one, and so loaded, because a load that is wider than
// the stores waits until they have left the store buffer (15 ns each).

sg_deque *prepare_child(sg_deque *parent_deque, scope &owner, std::uint64_t key) noexcept {
    worker *const w = current_worker();
    if (w == nullptr)
        return nullptr;
    deque **const slot = reinterpret_cast<deque **>(SG_REGION_GET(void **, chain));
    if (slot == w->parents.end) [[unlikely]]
        return nullptr;
    stacks::stack *const s = w->at_hand.take();
    if (s == nullptr) [[unlikely]]
        return nullptr;
    deque &parent = *static_cast<deque *>(parent_deque);
    deque &child = *deque_of(s);
    // For a thief that takes the parent.
    parent.spawning = &owner;
    parent.spawned = &child;
    child.begun.parent = &parent;
    child.begun.owner = &owner;
    child.begun.key = key;
    child.begun.state = child.begun.not_published;
    return &child;
}

void start_child(sg_deque *parent, sg_deque *child, stacks::context *(*entry)(void *),
                 void *argument) noexcept {
    stacks::start_on(static_cast<deque *>(parent)->home()->ctx,
                     *static_cast<deque *>(child)->home(), entry, argument);
}

void publish_parent(sg_deque *child_deque) noexcept {
    deque &child = *static_cast<deque *>(child_deque);
    deque &parent = *child.begun.parent;
    worker &w = *current_worker();
    child.begun.state =
        leave_exceptions(parent) ? child.begun.published_with_exceptions : child.begun.published;
    deque **const slot = reinterpret_cast<deque **>(SG_REGION_GET(void **, chain));
    // Release: pairs with chain::oldest; the parent's context and the above are visible.
    __atomic_store_n(slot, &parent, __ATOMIC_RELEASE);
    SG_REGION_SET(chain, slot + 1);
    // After the push: a thief that finds the child's deque must find its parents, too.
    activate(w, &child);
    wake_if_any_sleeps();
}

void fail_child(sg_deque *child) noexcept {
    const auto &begun = static_cast<deque *>(child)->begun;
    begun.owner->error().offer(begun.key, std::current_exception());
}

stacks::context *end_child(sg_deque *child_deque) noexcept {
    deque &mine = *static_cast<deque *>(child_deque);
    worker &w = *current_worker();
    if (mine.begun.state == mine.begun.not_published) [[unlikely]] {
        // The closure's move threw: the parent has not been left behind.
        w.at_hand.give(mine.home());
        return nullptr;
    }
    // Acquire: pairs with take_continuation. Null here and taken in between: the pop will tell.
    if (mine.taken_child.load(std::memory_order_acquire) != nullptr) [[unlikely]]
        return end_apart(w, mine);
    deque **const slot = reinterpret_cast<deque **>(SG_REGION_GET(void **, chain)) - 1;
    SG_REGION_SET(chain, slot);
    // As sg_pop: the store, then the load; the thief's fence makes one of the two see the other.
    __atomic_store_n(slot, static_cast<deque *>(nullptr), __ATOMIC_RELAXED);
    platform::light_fence();
    if (w.parents.exc.load(std::memory_order_relaxed) > slot) [[unlikely]]
        return end_by_lock(w, mine, slot);
    return end_before_parent(w, mine);
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
