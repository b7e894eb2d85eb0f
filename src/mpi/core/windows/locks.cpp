// SPDX-License-Identifier: MIT
// Passive targets: locks, and the flushes of those that hold them (README.md, "A lock").
#include "mpi/core/interface/functions.hpp"
#include "mpi/core/process/process.hpp"
#include "mpi/core/windows/turns.hpp"

#include <algorithm>
#include <bit>

namespace saguaro::mpi {

namespace {

// Of messages between the ranks of a window: a release of a lock at target t has the tag t plus
// this.
constexpr int first_release_tag = 16;

bool is_exclusive(std::uint64_t asked) {
    return (asked & 1) != 0;
}

// Whether a request of the rival comes before one of this rank at this clock, and excludes it.
bool is_in_the_way(std::uint64_t asked, std::uint32_t rival, bool exclusive) {
    if (asked == 0 || (!exclusive && !is_exclusive(asked)))
        return false;
    rank &me = *rank::mine;
    const clock_value clock = asked / 2;
    return clock < me.clock() ||
           (clock == me.clock() && comes_before(me.all(), rival, me.number()));
}

// Waits until a rival has released the lock that is in the way.
void wait_for_release(const win_object &on, int target, int rival, std::uint64_t asked,
                      const char *call) {
    const auto word = static_cast<std::size_t>(on.me()) / 64;
    const std::uint64_t bit = std::uint64_t{1} << (on.me() % 64);
    std::atomic<std::uint64_t> &waiters = on.records.waiters(target, rival)[word];
    // Sequentially consistent, all four, with those in `release`: either this load sees the
    // release, or the release sees the bit.
    waiters.fetch_or(bit, std::memory_order_seq_cst);
    if (on.records.lock(target, rival).asked.load(std::memory_order_seq_cst) != asked &&
        (waiters.fetch_and(~bit, std::memory_order_seq_cst) & bit) != 0)
        return; // and nobody has seen the bit: no message comes
    rank &me = *rank::mine;
    request_object told;
    told.what = action::receive;
    told.on = on.on;
    told.context = on.on->context;
    told.peer = on.on->world_rank(rival);
    told.tag = first_release_tag + target;
    told.posted = me.clock();
    me.post(told);
    me.wait_for(told, me.clock(), call);
}

// The requests for locks at these targets are granted, at a clock behind the releases of all
// earlier ones that exclude them. All are of one type.
void acquire(win_object &on, int first, int last, bool exclusive, const char *call) {
    rank &me = *rank::mine;
    const std::uint64_t asked = me.clock() * 2 + (exclusive ? 1 : 0);
    for (int t = first; t <= last; ++t)
        // Release: visible before the clock is published.
        on.records.lock(t, on.me()).asked.store(asked, std::memory_order_release);
    const std::vector<int> rivals = others_of(on);
    wait_for_clocks(on, rivals, call);
    clock_value released = 0;
    for (int t = first; t <= last; ++t)
        for (const int rival : rivals) {
            lock_record &theirs = on.records.lock(t, rival);
            // Acquire pairs with the store in `release`: what the rival did is in the memory, and
            // its clock is there.
            const std::uint64_t seen = theirs.asked.load(std::memory_order_acquire);
            if (is_in_the_way(seen, on.on->world_rank(rival), exclusive))
                wait_for_release(on, t, rival, seen, call);
            // Relaxed, both: behind the acquires.
            released =
                std::max(released, theirs.released_exclusive.load(std::memory_order_relaxed));
            if (exclusive)
                released =
                    std::max(released, theirs.released_shared.load(std::memory_order_relaxed));
        }
    // A release arrives as a message would, whether it has come as one or not.
    if (released != 0)
        me.advance_to(released + latency);
    for (int t = first; t <= last; ++t)
        on.locks[static_cast<std::size_t>(t)] =
            exclusive ? lock_state::exclusive : lock_state::shared;
}

// Behind a step, on whose clock others rely: so the release has a later one.
void release(win_object &on, int target) {
    rank &me = *rank::mine;
    lock_record &mine = on.records.lock(target, on.me());
    lock_state &state = on.locks[static_cast<std::size_t>(target)];
    // Relaxed: the store below publishes it.
    (state == lock_state::exclusive ? mine.released_exclusive : mine.released_shared)
        .store(me.clock(), std::memory_order_relaxed);
    state = lock_state::none;
    // Sequentially consistent, with the others in `wait_for_release`. As a release it pairs with
    // the acquire in `acquire`.
    mine.asked.store(0, std::memory_order_seq_cst);
    std::atomic<std::uint64_t> *const waiters = on.records.waiters(target, on.me());
    for (std::uint32_t w = 0; w < on.records.words(); ++w)
        for (std::uint64_t bits = waiters[w].exchange(0, std::memory_order_seq_cst); bits != 0;
             bits &= bits - 1)
            me.send(on.on->world_rank(static_cast<int>(w * 64) + std::countr_zero(bits)),
                    on.on->context, first_release_tag + target, {}, me.clock());
}

// What all functions of one target check.
int check_target(win which, int target, win_object *&out) {
    out = find(which);
    if (out == nullptr)
        return abi::err_win;
    return target != abi::proc_null && (target < 0 || target >= out->ranks()) ? abi::err_rank
                                                                              : abi::success;
}

bool are_assertions_of_locks(int assertions) {
    return (assertions & ~abi::mode_nocheck) == 0;
}

int flush_one(int target, win which, const char *call) {
    win_object *on = nullptr;
    if (const int error = check_target(which, target, on))
        return error;
    if (!on->is_passive() || (target != abi::proc_null && !on->may_access(target)))
        return abi::err_rma_sync;
    const window_call now;
    // Of all targets: whoever polls its own memory for an answer flushes that alone, and the answer
    // may depend on what it has called elsewhere.
    return target == abi::proc_null ? abi::success : flush(*on, all_targets, call);
}

int flush_each(win which, const char *call) {
    win_object *const on = find(which);
    if (on == nullptr)
        return abi::err_win;
    if (!on->is_passive())
        return abi::err_rma_sync;
    const window_call now;
    return flush(*on, all_targets, call);
}

// Whether a passive epoch may begin: none of an active target is under way.
bool may_lock(win_object &on) {
    if (on.has_started || (on.is_fenced && !on.pending.empty()))
        return false;
    on.is_fenced = false;
    return true;
}

} // namespace

namespace core {

int win_lock(int type, int target, int assertions, win which) {
    win_object *on = nullptr;
    if (const int error = check_target(which, target, on))
        return error;
    if (type != abi::lock_exclusive && type != abi::lock_shared)
        return abi::err_locktype;
    if (!are_assertions_of_locks(assertions))
        return abi::err_assert;
    if (on->has_locked_all || !may_lock(*on))
        return abi::err_rma_sync;
    const window_call now;
    if (target == abi::proc_null) {
        ++on->held_nowhere;
        return abi::success;
    }
    if (on->locks[static_cast<std::size_t>(target)] != lock_state::none)
        return abi::err_rma_sync;
    acquire(*on, target, target, type == abi::lock_exclusive, "MPI_Win_lock");
    ++on->held;
    return abi::success;
}

int win_unlock(int target, win which) {
    win_object *on = nullptr;
    if (const int error = check_target(which, target, on))
        return error;
    if (target == abi::proc_null) {
        if (on->held_nowhere == 0)
            return abi::err_rma_sync;
        const window_call now;
        --on->held_nowhere;
        return abi::success;
    }
    if (on->has_locked_all || on->locks[static_cast<std::size_t>(target)] == lock_state::none)
        return abi::err_rma_sync;
    const window_call now;
    const int error = flush(*on, target, "MPI_Win_unlock");
    rank::mine->tick();
    release(*on, target);
    --on->held;
    return error;
}

int win_lock_all(int assertions, win which) {
    win_object *const on = find(which);
    if (on == nullptr)
        return abi::err_win;
    if (!are_assertions_of_locks(assertions))
        return abi::err_assert;
    if (on->is_passive() || !may_lock(*on))
        return abi::err_rma_sync;
    const window_call now;
    acquire(*on, 0, on->ranks() - 1, false, "MPI_Win_lock_all");
    on->has_locked_all = true;
    return abi::success;
}

int win_unlock_all(win which) {
    win_object *const on = find(which);
    if (on == nullptr)
        return abi::err_win;
    if (!on->has_locked_all)
        return abi::err_rma_sync;
    const window_call now;
    const int error = flush(*on, all_targets, "MPI_Win_unlock_all");
    rank::mine->tick();
    for (int t = 0; t < on->ranks(); ++t)
        release(*on, t);
    on->has_locked_all = false;
    return error;
}

int win_flush(int target, win which) {
    return flush_one(target, which, "MPI_Win_flush");
}

int win_flush_all(win which) {
    return flush_each(which, "MPI_Win_flush_all");
}

// Whoever has its buffers back has also reached the target.
int win_flush_local(int target, win which) {
    return flush_one(target, which, "MPI_Win_flush_local");
}

int win_flush_local_all(win which) {
    return flush_each(which, "MPI_Win_flush_local_all");
}

int win_sync(win which) {
    if (find(which) == nullptr)
        return abi::err_win;
    const window_call now;
    std::atomic_thread_fence(std::memory_order_seq_cst);
    return abi::success;
}

} // namespace core

} // namespace saguaro::mpi
