// SPDX-License-Identifier: MIT
// Blocking scopes: what they forbid, and making the threads that stand in.
#include "scheduler/stand_ins.hpp"

#include "platform/thread.hpp"
#include "saguaro/blocking.h"
#include "scheduler/arena.hpp"
#include "scheduler/observer.hpp"
#include "scheduler/runtime.hpp"
#include "stacks/overflow.hpp"

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>
#include <new>
#include <sched.h>
#include <utility>

namespace saguaro::scheduler {

sg_frame *slot_of_blocked = reinterpret_cast<sg_frame *>(&slot_of_blocked);

namespace {

[[noreturn]] void refuse(const char *what) {
    std::fprintf(stderr, "saguaro: %s\n", what);
    std::abort();
}

// An observer of spawns follows one flow; in the child of a fork there are no other threads.
bool may_stand_in(const runtime &rt) {
    return !rt.alone() && spawn_observer::now() == nullptr;
}

// Whether the thread is the runtime's, be it in a root inside another one.
bool is_runtimes(const worker &w) {
    return outermost(w).guest == nullptr;
}

} // namespace

void refuse_push() {
    refuse("a task spawns, or waits for tasks, in a blocking scope; end the scope first "
           "(saguaro::blocking, sg_blocking_end)");
}

void refuse_if_blocking(const worker &w) {
    if (w.blocked != 0) [[unlikely]]
        refuse_push();
}

void check_that_scopes_ended(const worker &w) {
    if (w.blocked != 0) [[unlikely]]
        refuse("a task has ended, or was stolen, in a blocking scope; call sg_blocking_end first");
}

stand_ins::stand_ins(runtime &rt) : rt_(rt), processors_(platform::cpu_mask::of_thread(0)) {}

stand_ins::~stand_ins() {
    // Relaxed: one thread is left.
    for (stand_in *one = first_.load(std::memory_order_relaxed); one != nullptr;)
        delete std::exchange(one, one->next);
}

void stand_ins::begin_blocking(worker &w, unsigned enough) {
    if (!may_stand_in(rt_))
        return;
    // This thread answers no thief meanwhile.
    if (deque *const d = w.active())
        expect_thieves(w, *d);
    if (rt_.seating().begin_blocking(enough, is_runtimes(w)) && !make_one(nullptr))
        rt_.seating().join(nullptr); // the processor stays idle
    // What is pushed later is heard, or seen by the thread that watches.
    if (nodes_matter())
        wake_for_what_there_is(rt_);
    else if (rt_.anything_to_do(nullptr, nullptr))
        rt_.seating().wake();
}

void stand_ins::end_blocking(worker &w) {
    if (may_stand_in(rt_))
        rt_.seating().end_blocking(is_runtimes(w));
}

namespace {

worker *worker_that_waits() {
    worker *const w = current_worker();
    return w != nullptr && w->blocked == 0 ? w : nullptr;
}

} // namespace

task_waits::task_waits() : who_(worker_that_waits()) {
    if (who_ != nullptr)
        who_->rt.stand_ins.begin_blocking(*who_, 0);
}

task_waits::~task_waits() {
    if (who_ != nullptr)
        who_->rt.stand_ins.end_blocking(*who_);
}

bool stand_ins::has_thread() {
    if (rt_.size() > 1)
        return true;
    if (!may_stand_in(rt_))
        return false;
    // Acquire: pairs with the release below; it is in the list that join_threads reads.
    if (has_helper_.load(std::memory_order_acquire))
        return true;
    const std::lock_guard guard(making_helper_);
    if (!has_helper_.load(std::memory_order_relaxed))
        has_helper_.store(make_helper(), std::memory_order_release);
    return has_helper_.load(std::memory_order_relaxed);
}

// Its worker comes first: a helper without one could begin nothing of what is left to it.
bool stand_ins::make_helper() {
    worker *const seat = rt_.callers().take_for_good();
    if (seat == nullptr)
        return false;
    rt_.seating().count_helper(1);
    if (make_one(seat))
        return true;
    rt_.seating().count_helper(-1);
    callers::give(*seat);
    return false;
}

// With that worker; null: it takes one itself. False: the system refuses.
bool stand_ins::make_one(worker *seat) {
    std::unique_ptr<stand_in> fresh(new (std::nothrow) stand_in);
    try {
        if (fresh != nullptr) {
            fresh->me.seat = seat;
            fresh->thread = std::thread([this, &self = *fresh] { run(self); });
            platform::set_thread_name(fresh->thread, "saguaro/extra");
        }
    } catch (const std::exception &) {
        fresh = nullptr;
    }
    if (fresh == nullptr)
        return false;
    // Relaxed: join_threads reads it after the root has ended that this thread works for.
    fresh->next = first_.load(std::memory_order_relaxed);
    while (!first_.compare_exchange_weak(fresh->next, fresh.get(), std::memory_order_relaxed))
        ;
    fresh.release();
    return true;
}

void stand_ins::run(stand_in &self) {
    // The thread that made it may have been kept on fewer.
    sched_setaffinity(0, processors_.bytes(), processors_.data());
    const stacks::alternate_stack for_overflow_reports;
    participant &me = self.me;
    if (me.seat == nullptr)
        me.seat = rt_.callers().take_for_good();
    if (me.seat != nullptr)
        me.seat->stands_in = true;
    if (rt_.seating().join(me.seat != nullptr ? &me : nullptr)) {
        work_until_over(me, rt_);
        if (me.at != nullptr)
            end_working(me);
    }
    note_that_thread_ends();
}

void stand_ins::join_threads() {
    for (stand_in *one = first_.load(std::memory_order_relaxed); one != nullptr; one = one->next)
        one->thread.join();
}

} // namespace saguaro::scheduler

extern "C" void sg_blocking_begin(void) {
    using namespace saguaro::scheduler;
    worker *const w = current_worker();
    if (w == nullptr || w->blocked++ != 0)
        return;
    // The loop may call a monoid's function.
    if (deque *const d = current_deque()) {
        // Without a stack for a child a spawn has to ask for one, and is refused.
        give_spares(*w, *d);
        w->tail_of_blocked = std::exchange(d->tail, &slot_of_blocked);
    }
    w->rt.stand_ins.begin_blocking(*w, w->rt.stand_ins.most);
}

extern "C" void sg_blocking_end(void) {
    using namespace saguaro::scheduler;
    worker *const w = current_worker();
    if (w == nullptr)
        return;
    if (w->blocked == 0)
        refuse("sg_blocking_end without sg_blocking_begin in the same task; between them a task "
               "must not spawn");
    if (--w->blocked != 0)
        return;
    if (deque *const d = current_deque())
        d->tail = w->tail_of_blocked;
    w->rt.stand_ins.end_blocking(*w);
}
