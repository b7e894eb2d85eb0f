// SPDX-License-Identifier: MIT
// The steal and the end of children that scope.spawn started, and the scope's record.
#include "scheduler/continuation.hpp"

#include "hyperobjects/region.hpp"
#include "platform/no_memory.hpp"
#include "platform/sanitizer.hpp"
#include "saguaro/scope.hpp"
#include "scheduler/idle.hpp"
#include "scheduler/observer.hpp"
#include "scheduler/runtime.hpp"
#include "scheduler/steal.hpp"
#include "scheduler/worker.hpp"

#include <cassert>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>
#include <mutex>
#include <new>

namespace saguaro::scheduler {

using detail::scope_head;
using detail::scope_record;

namespace {

// So far above the chain's first slot, and the stack of a child is not kept for the next: what a
// recursion to great depth needed once is wanted by others. A flow that begins higher up, where
// thieves have left the chain, keeps fewer.
constexpr std::ptrdiff_t deepest_kept = 64;

// What a record needs that begins a cache line.
constexpr std::size_t record_bytes = sizeof(scope_record) + alignof(scope_record);

// In `block`, of record_bytes.
scope_record *make_record(void *block, const scope_head &s) {
    std::size_t room = record_bytes;
    void *line = block;
    std::align(alignof(scope_record), sizeof(scope_record), line, room);
    return new (line) scope_record(s, block);
}

// Returns its block.
void *end_record(scope_record *r) {
    void *const block = r->block;
    std::destroy_at(r);
    return block;
}

// With statistics on no pop of a parent is fast, so every child is counted once.
void count_spawn(worker &w) {
    if (w.rt.counts)
        counters::bump(w.count.spawns);
}

// The end of a strand of its own, which has nothing out any more.
stacks::context *leave_apart(worker &w, deque &mine) {
    __builtin_prefetch(mine.strand.parent, 1);
    fetch_parent_of_only_victim(w);
    mine.reset();
    arrive_and_continue(w, *mine.strand.parent, mine.strand);
    give_spares(w, mine);
    w.at_hand.give(mine.home());
    return &w.loop;
}

// A thief has the parent: the child is a strand of its own, and this worker a thief next.
stacks::context *end_apart(worker &w, deque &mine) {
    assert(mine.strand.is_out.load(std::memory_order_relaxed));
    count_spawn(w);
    if (mine.scopes == nullptr) [[likely]]
        return leave_apart(w, mine);
    sync_all_scopes();
    return leave_apart(*current_worker(), mine);
}

// Takes the stack for its children from the flow that runs, so that code which was compiled without
// the sanitizer finds none. The flow may have moved: not inlined.
[[gnu::noinline]] void detach_child(deque &mine) {
    give_spares(*current_worker(), mine);
}

// `mine` is the deque of the flow that runs.
void sync_youngest(deque &mine) {
    scope_record &youngest = *mine.scopes;
    sync_owner(youngest.meeting);
    mine.scopes = youngest.older;
    youngest.open = false;
}

// Nothing of it is out.
void free_adopted(deque &mine) {
    // No thief has the flow, and none will look for a record that is closed.
    if (scope_record *const record = mine.adopted.take_record())
        numa::give_near(end_record(record));
}

// The flow on `parent`, which is one of several strands that want to be told apart, has left its
// place there: the child's is below it. False: it shall not run.
bool begin_strand_node(const deque &parent, deque &child) {
    if (parent.strand_node == nullptr)
        return true;
    child.node = parent.strand_node->next_child();
    SG_REGION_SET(strand_node, &child.node);
    return !child.node.cancelled();
}

} // namespace

bool take_continuation(deque &parent, steal_memory &spare_memory) {
    scope_head &owner = *parent.spawning;
    // The youngest is the scope's own, most often; the scope is on a line that has yet to come.
    scope_record *record = parent.scopes;
    if (record == nullptr || record->of != &owner)
        record = owner.record_of_others();
    if (record == nullptr) {
        if (!spare_memory.have(record_bytes))
            return false;
        // A child that throws may be quicker, and makes the record as well.
        scope_record *const fresh = make_record(spare_memory.take(0), owner);
        record = owner.give_record(fresh);
        if (record != fresh)
            spare_memory.put_back(0, end_record(fresh));
    }
    if (!record->open) {
        record->open = true;
        record->older = parent.scopes;
        parent.scopes = record;
    }
    taken_child &strand = parent.spawned_deque()->strand;
    join &meeting = parent.scopes->meeting;
    meeting.add_before_owner(strand);
    // After the join's lock, which would wait for the child's line.
    strand.parent = &meeting;
    strand.owner = &owner;
    strand.key = owner.spawned() - 1;
    // The child's stack is the child's own from now on.
    parent.spawned = nullptr;
    parent.clear_resume_flag(deque::surplus_child);
    return true;
}

scope_record &record_for(scope_head &s) {
    scope_record *record = s.record_of_others();
    if (record == nullptr) {
        void *const block = numa::take_near(record_bytes);
        if (block == nullptr)
            platform::end_without_memory("what a scope keeps of its children");
        scope_record *const fresh = make_record(block, s);
        record = s.give_record(fresh);
        if (record != fresh)
            numa::give_near(end_record(fresh));
    }
    return *record;
}

void sync_all_scopes() {
    // The flow may go on elsewhere after each, with the same deque.
    deque &mine = *current_deque();
    while (mine.scopes != nullptr)
        sync_youngest(mine);
    free_adopted(mine);
}

void refuse_sync() {
    std::fputs("saguaro: a task syncs a scope that is not its own; only the function that made the "
               "scope, and not a child, may call its sync\n",
               stderr);
    std::abort();
}

void sync_adopted() {
    deque &mine = *current_deque();
    if (scope_record *const record = mine.adopted.record_of_others()) {
        while (record->open)
            sync_youngest(mine);
        free_adopted(mine);
    }
}

} // namespace saguaro::scheduler

namespace saguaro::detail {

using namespace scheduler;

task_node no_task{nullptr, nullptr, 0};

SG_BEGIN_STANDARD_LIBRARY
bool attach_child(spawn_deque &parent) noexcept {
    return !platform::is_watched() && attach_child_by_call(parent);
}

bool attach_child_by_call(spawn_deque &parent) noexcept {
    worker *const w = current_worker();
    if (w == nullptr)
        return false;
    refuse_if_blocking(*w);
    deque **const slot = reinterpret_cast<deque **>(SG_REGION_GET(void **, chain));
    if (slot == w->parents.end && !w->parents.extend())
        return false;
    stacks::stack *const s = w->at_hand.take();
    if (s == nullptr)
        return false;
    deque &mine = static_cast<deque &>(parent);
    mine.spawned = deque_of(s);
    if (slot - w->parents.slots >= deepest_kept)
        mine.set_resume_flag(deque::surplus_child);
    return true;
}
SG_END_STANDARD_LIBRARY

void start_child_by_call(spawn_deque &parent, spawn_deque &child, child_entry entry,
                         void *argument) noexcept {
    stacks::start_on(static_cast<deque &>(parent).home()->ctx, *static_cast<deque &>(child).home(),
                     entry, argument);
    if (!SG_ANNOTATE_STACKS && platform::is_watched()) [[unlikely]]
        detach_child(static_cast<deque &>(parent));
}

void activate_deque_by_call(spawn_deque &d) noexcept {
    activate(*current_worker(), static_cast<deque *>(&d));
}

bool save_parent_state(spawn_deque &parent) noexcept {
    deque &mine = static_cast<deque &>(parent);
    save_flow_state(mine);
    return begin_strand_node(mine, *mine.spawned_deque());
}

void handle_resume_flags(spawn_deque &parent) noexcept {
    deque &mine = static_cast<deque &>(parent);
    restore_flow_state_if_any(mine);
    if ((mine.resume_flags & deque::surplus_child) != 0)
        give_spares(*current_worker(), mine);
}

void keep_error(scope_head &owner, sg_uint64 key) noexcept {
    record_for(owner).error.offer(key, caught_error());
}

void fail_child() noexcept {
    const deque &mine = *current_deque();
    const taken_child &strand = mine.strand;
    // Acquire: pairs with take_parent.
    if (strand.is_out.load(std::memory_order_acquire)) {
        keep_error(*strand.owner, strand.key);
        return;
    }
    // The parent is the youngest in this worker's chain, unless a thief takes it just now; and a
    // parent that goes on may spawn from another scope.
    scope_head *owner;
    std::uint64_t key;
    {
        const std::lock_guard guard(current_worker()->parents.lock);
        const bool out = strand.is_out.load(std::memory_order_relaxed); // written under the lock
        const deque &parent = *reinterpret_cast<deque **>(SG_REGION_GET(void **, chain))[-1];
        owner = out ? strand.owner : parent.spawning;
        key = out ? strand.key : owner->spawned() - 1;
    }
    // The scope outlives the child, whoever goes on with the parent.
    keep_error(*owner, key);
}

stacks::context *end_child_by_lock(spawn_deque *parent) noexcept {
    deque &mine = *current_deque();
    worker &w = *current_worker();
    deque **const slot = reinterpret_cast<deque **>(SG_REGION_GET(void **, chain));
    fetch_slot_of_only_victim(w);
    // Acquire: pairs with take_parent; the strand is built, and the chain's head has moved.
    bool taken = mine.strand.is_out.load(std::memory_order_acquire);
    // If it is there, the slot may not be the parent's, but another worker's or none.
    if (!taken) {
        const std::lock_guard guard(w.parents.lock);
        taken = w.parents.head.load(std::memory_order_relaxed) > slot;
        if (!taken)
            w.parents.answer(slot);
    }
    if (taken) {
        // The chain stays as long as the thief has left it.
        SG_REGION_SET(chain, slot + 1);
        return end_apart(w, mine);
    }
    count_spawn(w);
    if (spawn_observer *const o = spawn_observer::now())
        o->child_ends(static_cast<deque &>(*parent), slot);
    activate_deque(*sg_region_here(), *parent);
    handle_resume_flags(*parent);
    return nullptr;
}

stacks::context *refuse_child() noexcept {
    const deque &parent = *current_deque();
    keep_error(*parent.spawning, parent.spawning->spawned() - 1);
    return nullptr;
}

void wait_for_scope(scope_record &record) noexcept {
    // A scope outside of the workers may have a record as well.
    if (spawn_observer *const o = spawn_observer::of_this_strand())
        o->scope_syncs(record);
    if (record.outside != nullptr)
        record.outside->wait();
    while (record.open)
        sync_youngest(*current_deque());
}

void sync_scope(scope_record &record) {
    wait_for_scope(record);
    record.error.rethrow();
}

void sync_scope_of(const sg_deque *home, scope_record &record) {
    // What a thread outside has made may be synced in a run.
    if (home != SG_REGION_GET(sg_deque *, deque) &&
        home != hyperobjects::outside_head()->header.deque) [[unlikely]]
        refuse_sync();
    sync_scope(record);
}

void free_scope(scope_record &record) noexcept {
    try {
        sync_scope(record);
    } catch (...) {
        // Nobody has asked for it.
    }
    if (spawn_observer *const o = spawn_observer::of_this_strand())
        o->scope_ends(record);
    numa::give_near(end_record(&record));
}

} // namespace saguaro::detail
