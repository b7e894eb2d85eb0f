// SPDX-License-Identifier: MIT
#include "scheduler/continuation.hpp"

#include "platform/fence.hpp"
#include "saguaro/scope.hpp"
#include "scheduler/idle.hpp"
#include "scheduler/runtime.hpp"
#include "scheduler/worker.hpp"

#include <exception>
#include <mutex>
#include <new>

namespace saguaro::scheduler {

using detail::scope_record;

namespace {

// The record of `s`, made if there is none: by the first thief, or by the first child that throws.
// Null: no memory.
scope_record *record_of(scope &s) {
    std::atomic<scope_record *> &slot = s.record_slot();
    // Acquire: pairs with the exchange below; the record is built.
    scope_record *there = slot.load(std::memory_order_acquire);
    if (there != nullptr)
        return there;
    scope_record *const fresh = new (std::nothrow) scope_record;
    // Release and acquire: whoever loses finds the winner's record built.
    if (fresh == nullptr || slot.compare_exchange_strong(there, fresh, std::memory_order_acq_rel))
        return fresh;
    delete fresh;
    return there;
}

// Three ends of a child. The first is the fast path and is inlined; the others are out of line, so
// that it saves no registers for them.

// The parent goes on where it was left.
inline stacks::context *end_before_parent(worker &w, deque &mine, deque &parent) {
    activate(w, &parent);
    fetch_luggage(parent);
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
    taken_child *const strand = mine.strand.load(std::memory_order_acquire);
    mine.reset();
    end_child(*strand);
    w.at_hand.give(mine.home());
    return &w.loop;
}

// The pop of `parent`, in `slot`, has found `exc` raised.
[[gnu::noinline, gnu::cold]] stacks::context *end_by_lock(worker &w, deque &mine, deque **slot,
                                                          deque &parent) {
    bool taken;
    {
        const std::lock_guard guard(w.parents.lock);
        taken = w.parents.head.load(std::memory_order_relaxed) > slot;
    }
    if (taken)
        return end_apart(w, mine);
    count_spawn(w);
    return end_before_parent(w, mine, parent);
}

// The flow on `parent`, which is one of several strands that want to be told apart, has left its
// place there: the child's is below it. False: it shall not run.
[[gnu::noinline, gnu::cold]] bool begin_heritage(deque &parent, deque &child) {
    if (parent.heritage == nullptr)
        return true;
    child.node = parent.heritage->next_child();
    SG_REGION_SET(heritage, &child.node);
    return !child.node.cancelled();
}

} // namespace

bool take_continuation(deque &parent) {
    scope &owner = *parent.spawning;
    scope_record *const record = record_of(owner);
    if (record == nullptr)
        return false;
    scope_record &youngest = record->open ? *parent.scopes : *record;
    taken_child *const strand =
        new (std::nothrow) taken_child(youngest.meeting, owner, owner.spawned() - 1);
    if (strand == nullptr)
        return false;
    if (!record->open) {
        record->open = true;
        record->older = parent.scopes;
        parent.scopes = record;
    }
    youngest.meeting.add_before_owner(*strand);
    // Release: pairs with the acquire loads in end_child and fail_child.
    parent.spawned->strand.store(strand, std::memory_order_release);
    return true;
}

} // namespace saguaro::scheduler

namespace saguaro::detail {

using namespace scheduler;

// The fast path of a spawn is prepare_child, start_child, publish_parent and end_child. What the
// child needs of its parent it finds through the region's deque, which is the parent's until
// publish_parent and the child's own from then on; the parent may be gone on with before the child
// ends.

sg_deque *prepare_child(sg_deque *parent_deque, scope &owner) noexcept {
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
    // For the child's beginning, and for a thief that takes the parent.
    parent.spawning = &owner;
    parent.spawned = deque_of(s);
    return parent.spawned;
}

void start_child(sg_deque *parent, sg_deque *child, stacks::context *(*entry)(void *),
                 void *argument) noexcept {
    stacks::start_on(static_cast<deque *>(parent)->home()->ctx,
                     *static_cast<deque *>(child)->home(), entry, argument);
}

bool publish_parent() noexcept {
    deque &parent = *current_deque();
    deque &child = *parent.spawned;
    bool runs = true;
    if (has_luggage()) [[unlikely]] {
        pack_luggage(parent);
        runs = begin_heritage(parent, child);
    }
    deque **const slot = reinterpret_cast<deque **>(SG_REGION_GET(void **, chain));
    // Release: pairs with chain::oldest; the parent's context and the above are visible.
    __atomic_store_n(slot, &parent, __ATOMIC_RELEASE);
    SG_REGION_SET(chain, slot + 1);
    // After the push: a thief that finds the child's deque must find its parents, too.
    activate(*current_worker(), &child);
    wake_if_any_sleeps();
    return runs;
}

void keep_error(scope &owner, std::uint64_t key) noexcept {
    scope_record *const record = record_of(owner);
    if (record == nullptr)
        std::terminate(); // as for an exception that there is no memory for
    record->error.offer(key, std::current_exception());
}

void fail_child() noexcept {
    const deque &mine = *current_deque();
    const taken_child *strand = mine.strand.load(std::memory_order_acquire);
    if (strand != nullptr) {
        keep_error(strand->owner, strand->key);
        return;
    }
    // The parent is the youngest in this worker's chain, unless a thief takes it just now; and a
    // parent that goes on may spawn from another scope.
    scope *owner;
    std::uint64_t key;
    {
        const std::lock_guard guard(current_worker()->parents.lock);
        strand = mine.strand.load(std::memory_order_relaxed); // written under the lock
        const deque &parent = *reinterpret_cast<deque **>(SG_REGION_GET(void **, chain))[-1];
        owner = strand != nullptr ? &strand->owner : parent.spawning;
        key = strand != nullptr ? strand->key : owner->spawned() - 1;
    }
    // The scope outlives the child, whoever goes on with the parent.
    keep_error(*owner, key);
}

stacks::context *end_child() noexcept {
    deque &mine = *current_deque();
    worker &w = *current_worker();
    // Acquire: pairs with take_continuation. Null here and taken in between: the pop will tell.
    if (mine.strand.load(std::memory_order_acquire) != nullptr) [[unlikely]]
        return end_apart(w, mine);
    deque **const slot = reinterpret_cast<deque **>(SG_REGION_GET(void **, chain)) - 1;
    SG_REGION_SET(chain, slot);
    deque &parent = **slot;
    // As sg_pop: the store, then the load; the thief's fence makes one of the two see the other.
    __atomic_store_n(slot, static_cast<deque *>(nullptr), __ATOMIC_RELAXED);
    platform::light_fence();
    if (w.parents.exc.load(std::memory_order_relaxed) > slot) [[unlikely]]
        return end_by_lock(w, mine, slot, parent);
    return end_before_parent(w, mine, parent);
}

stacks::context *refuse_child() noexcept {
    const deque &parent = *current_deque();
    keep_error(*parent.spawning, parent.spawning->spawned() - 1);
    current_worker()->at_hand.give(parent.spawned->home());
    return nullptr;
}

void sync_scope(scope_record &record) {
    while (record.open) {
        deque &mine = *current_deque();
        scope_record &youngest = *mine.scopes;
        sync_owner(youngest.meeting);
        mine.scopes = youngest.older;
        youngest.open = false;
    }
    record.error.rethrow();
}

void free_scope(scope_record &record) noexcept {
    try {
        sync_scope(record);
    } catch (...) {
        // Nobody has asked for it.
    }
    delete &record;
}

} // namespace saguaro::detail
