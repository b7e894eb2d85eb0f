// SPDX-License-Identifier: MIT
#include "scheduler/continuation.hpp"

#include "platform/no_memory.hpp"
#include "saguaro/scope.hpp"
#include "scheduler/idle.hpp"
#include "scheduler/recording.hpp"
#include "scheduler/runtime.hpp"
#include "scheduler/worker.hpp"

#include <exception>
#include <memory>
#include <mutex>
#include <new>

namespace saguaro::scheduler {

using detail::scope_record;

namespace {

// Gives `s` the record `fresh` unless it has one. Returns the one that it has then.
scope_record *give_record(scope &s, scope_record *fresh) {
    scope_record *there = nullptr;
    // Release and acquire: whoever loses finds the winner's record built.
    return s.record_slot().compare_exchange_strong(there, fresh, std::memory_order_acq_rel) ? fresh
                                                                                            : there;
}

// Null: there is none yet. Acquire: pairs with the exchange above; the record is built.
scope_record *record_of(scope &s) {
    return s.record_slot().load(std::memory_order_acquire);
}

// More than this many suspended parents, and the stack of a child is not kept for the next: what a
// recursion to great depth needed once is wanted by others.
constexpr std::ptrdiff_t deepest_kept = 64;

// With statistics on no pop of a parent is fast, so every child is counted once.
void count_spawn(worker &w) {
    if (w.rt.counts())
        counters::bump(w.count.spawns);
}

// A thief has the parent: the child is a strand of its own.
stacks::context *end_apart(worker &w, deque &mine) {
    count_spawn(w);
    // Acquire: pairs with take_continuation.
    taken_child *const strand = mine.strand.load(std::memory_order_acquire);
    mine.reset();
    end_child(*strand);
    give_spares(w, mine);
    w.at_hand.give(mine.home());
    return &w.loop;
}

// The flow on `parent`, which is one of several strands that want to be told apart, has left its
// place there: the child's is below it. False: it shall not run.
bool begin_heritage(const deque &parent, deque &child) {
    if (parent.heritage == nullptr)
        return true;
    child.node = parent.heritage->next_child();
    SG_REGION_SET(heritage, &child.node);
    return !child.node.cancelled();
}

} // namespace

bool take_continuation(deque &parent, supplies &at_steal) {
    scope &owner = *parent.spawning;
    scope_record *record = record_of(owner);
    if (!at_steal.have(sizeof(taken_child), record == nullptr ? sizeof(scope_record) : 0))
        return false;
    if (record == nullptr) {
        // A child that throws may be quicker, and makes the record as well.
        auto *const fresh = new (at_steal.take(1)) scope_record;
        record = give_record(owner, fresh);
        if (record != fresh) {
            std::destroy_at(fresh);
            at_steal.put_back(1, fresh);
        }
    }
    scope_record &youngest = record->open ? *parent.scopes : *record;
    auto *const strand =
        new (at_steal.take(0)) taken_child(youngest.meeting, owner, owner.spawned() - 1);
    if (!record->open) {
        record->open = true;
        record->older = parent.scopes;
        parent.scopes = record;
    }
    youngest.meeting.add_before_owner(*strand);
    // The child's stack is the child's own from now on.
    deque &child = *parent.spawned_deque();
    parent.spawned = nullptr;
    parent.drop_chore(deque::surplus_child);
    // Release: pairs with the acquire loads in end_child_by_lock and fail_child.
    child.strand.store(strand, std::memory_order_release);
    return true;
}

scope_record &record_for(scope &s) {
    scope_record *record = record_of(s);
    if (record == nullptr) {
        auto *const fresh = new (std::nothrow) scope_record;
        if (fresh == nullptr)
            platform::end_without_memory("what a scope keeps of its children");
        record = give_record(s, fresh);
        if (record != fresh)
            delete fresh;
    }
    return *record;
}

} // namespace saguaro::scheduler

namespace saguaro::detail {

using namespace scheduler;

bool attach_child(spawn_deque &parent) noexcept {
    worker *const w = current_worker();
    if (w == nullptr)
        return false;
    deque **const slot = reinterpret_cast<deque **>(SG_REGION_GET(void **, chain));
    if (slot == w->parents.end && !w->parents.extend())
        return false;
    stacks::stack *const s = w->at_hand.take();
    if (s == nullptr)
        return false;
    deque &mine = static_cast<deque &>(parent);
    mine.spawned = deque_of(s);
    if (slot - w->parents.slots >= deepest_kept)
        mine.add_chore(deque::surplus_child);
    return true;
}

void start_child_by_call(spawn_deque &parent, spawn_deque &child, child_entry entry,
                         void *argument) noexcept {
    stacks::start_on(static_cast<deque &>(parent).home()->ctx, *static_cast<deque &>(child).home(),
                     entry, argument);
}

void activate_deque_by_call(spawn_deque &d) noexcept {
    activate(*current_worker(), static_cast<deque *>(&d));
}

bool pack_parent(spawn_deque &parent) noexcept {
    deque &mine = static_cast<deque &>(parent);
    pack_luggage(mine);
    return begin_heritage(mine, *mine.spawned_deque());
}

void do_chores(spawn_deque &parent) noexcept {
    deque &mine = static_cast<deque &>(parent);
    fetch_luggage(mine);
    if ((mine.chores & deque::surplus_child) != 0)
        give_spares(*current_worker(), mine);
}

void keep_error(scope &owner, std::uint64_t key) noexcept {
    record_for(owner).error.offer(key, std::current_exception());
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

stacks::context *end_child_by_lock(spawn_deque *parent) noexcept {
    deque &mine = *current_deque();
    worker &w = *current_worker();
    deque **const slot = reinterpret_cast<deque **>(SG_REGION_GET(void **, chain));
    // Acquire: pairs with take_continuation.
    bool taken = mine.strand.load(std::memory_order_acquire) != nullptr;
    // If it is there, the slot may not be the parent's, but another worker's or none.
    if (!taken) {
        const std::lock_guard guard(w.parents.lock);
        taken = w.parents.head.load(std::memory_order_relaxed) > slot;
        if (!taken)
            w.parents.answer(slot);
    }
    if (taken) {
        // The loop empties the chain, and sees by this that it must.
        SG_REGION_SET(chain, slot + 1);
        return end_apart(w, mine);
    }
    count_spawn(w);
    if (recording *const r = recording::now())
        r->child_ends(static_cast<deque &>(*parent));
    activate_deque(*parent);
    do_chores(*parent);
    return nullptr;
}

stacks::context *refuse_child() noexcept {
    const deque &parent = *current_deque();
    keep_error(*parent.spawning, parent.spawning->spawned() - 1);
    return nullptr;
}

void sync_scope(scope_record &record) {
    // A scope outside of the workers has a record if a child has thrown.
    if (recording *const r = recording::of_this_strand())
        r->scope_syncs();
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
    if (recording *const r = recording::of_this_strand())
        r->scope_ends(record);
    delete &record;
}

} // namespace saguaro::detail
