// SPDX-License-Identifier: MIT
// Groups of tasks: the tasks that no scope waits for, those that are put aside, and the wait.
#include "saguaro/task_group.hpp"

#include "hyperobjects/region.hpp"
#include "hyperobjects/view_set.hpp"
#include "platform/no_memory.hpp"
#include "platform/sanitizer.hpp"
#include "platform/spin_lock.hpp"
#include "saguaro/run.hpp"
#include "saguaro/task_group.h"
#include "scheduler/continuation.hpp"
#include "scheduler/merging.hpp"
#include "scheduler/observer.hpp"
#include "scheduler/ready.hpp"
#include "scheduler/runtime.hpp"
#include "scheduler/steal.hpp"
#include "scheduler/worker.hpp"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <new>
#include <optional>

namespace saguaro::forkjoin {

namespace {

using namespace scheduler;
using detail::aside_task;
using detail::group_state;

// A flow that is parked until a group has fewer tasks. On its own stack.
struct waiter {
    explicit waiter(group_state &group) : of(group) {}

    group_state &of;
    runtime &rt = current_worker()->rt;
    ready_work again;
    hyperobjects::view_set views;
    waiter *next = nullptr;
};

} // namespace

} // namespace saguaro::forkjoin

namespace saguaro::detail {

struct group_record {
    platform::spin_lock lock; // guards what follows
    aside_task *first = nullptr;
    aside_task **end = &first;
    std::uint64_t puts = 0;
    forkjoin::waiter *waiting = nullptr;
    bool drained = false; // by a root of the group's own
    // The exception with the smallest key.
    std::exception_ptr error;
    std::uint64_t key = 0;
};

std::atomic<unsigned> cancelled_groups{0};

} // namespace saguaro::detail

namespace saguaro::forkjoin {

namespace {

using detail::group_record;

// Of tasks that are ordered by when they have thrown, after those that were put aside.
constexpr std::uint64_t by_time = std::uint64_t{1} << 63;

// Acquire: pairs with the exchange in record_of; the record is built.
group_record *record_if_any(group_state &g) {
    return g.record.load(std::memory_order_acquire);
}

// Made when it is needed first. The group has a task that counts, or the caller is its maker or
// waits for it: it does not end meanwhile.
group_record &record_of(group_state &g) {
    group_record *there = record_if_any(g);
    if (there == nullptr) {
        auto *const fresh = new (std::nothrow) group_record;
        if (fresh == nullptr)
            platform::end_without_memory("what a task_group keeps");
        // Release and acquire: the one that loses finds the winner's record built.
        if (g.record.compare_exchange_strong(there, fresh, std::memory_order_acq_rel)) {
            // Relaxed: who ends the group has been told by other means that this call is over.
            g.state.fetch_or(group_state::has_record, std::memory_order_relaxed);
            return *fresh;
        }
        delete fresh;
    }
    return *there;
}

void one_task_more(group_state &g) {
    // Relaxed: a waiter that has to wait for the task knows of it by other means.
    g.state.fetch_add(group_state::one, std::memory_order_relaxed);
}

// The lock is held. The group has no waiters afterwards.
waiter *take_waiters(group_state &g, group_record &r) {
    // Relaxed: written under the lock.
    g.state.fetch_and(~group_state::has_waiters, std::memory_order_relaxed);
    return std::exchange(r.waiting, nullptr);
}

void wake(waiter *first) {
    while (first != nullptr) {
        waiter &one = *first;
        first = one.next; // it may be gone as soon as it is ready
        make_ready(one.rt, one.again);
    }
}

// Called by the worker's loop once the flow that waits has left its stack.
void arrive_as_waiter(worker &w, void *argument) {
    waiter &mine = *static_cast<waiter *>(argument);
    group_state &g = mine.of;
    group_record &r = record_of(g);
    mine.views = w.views.take();
    mine.again.of = w.whose();
    {
        const std::lock_guard guard(r.lock);
        if (r.first == nullptr) {
            // Acquire, where it fails: pairs with one_task_less; then the flow goes on at once.
            std::uint64_t now = g.state.load(std::memory_order_acquire);
            while (now >= group_state::one)
                // Relaxed: the end of a task that sees the bit takes the lock.
                if (g.state.compare_exchange_weak(now, now | group_state::has_waiters,
                                                  std::memory_order_relaxed,
                                                  std::memory_order_acquire)) {
                    mine.next = std::exchange(r.waiting, &mine);
                    return;
                }
        }
    }
    w.next = mine.again.what;
}

// Parks the flow until a counted task has ended which was the last, or one was put aside.
void park_for(group_state &g) {
    waiter mine(g);
    mine.again.what.suspended = current_deque()->home();
    leave_parents_to_others();
    park(arrive_as_waiter, &mine);
    current_worker()->views.put(mine.views);
}

aside_task *take_aside(group_record &r) {
    const std::lock_guard guard(r.lock);
    aside_task *const task = r.first;
    if (task != nullptr) {
        r.first = task->next;
        if (r.first == nullptr)
            r.end = &r.first;
        platform::take_over(task);
    }
    return task;
}

// Begins the tasks that were put aside, as children in `s`, a scope of the flow that runs. Whether
// there were any.
bool begin_all_aside(group_state &g, scope &s) {
    group_record *const r = record_if_any(g);
    if (r == nullptr)
        return false;
    bool any = false;
    while (aside_task *const task = take_aside(*r)) {
        any = true;
        detail::spawn_deque &here = *current_deque();
        task->above = {nullptr, &detail::no_task, here.task->depth};
        if (here.spawned != nullptr || detail::attach_child_by_call(here))
            s.start_by_call(here, task->entry, task);
        else
            detail::finish_aside(task, true);
    }
    return any;
}

// A root that begins the tasks that were put aside by threads outside of any run.
struct drainer {
    explicit drainer(group_state &group) : of(group) {}

    group_state &of; // of which it counts as a task
    std::optional<threadless_hold> held{std::in_place};
    ready_work beginning;
    hyperobjects::run run{};
};

void drain(void *argument) {
    const std::unique_ptr<drainer> mine(static_cast<drainer *>(argument));
    group_state &g = mine->of;
    group_record &r = *record_if_any(g);
    current_worker()->views.begin_run(mine->run);
    {
        scope s;
        for (bool over = false; !over;) {
            begin_all_aside(g, s);
            s.sync();
            const std::lock_guard guard(r.lock);
            over = r.first == nullptr;
            r.drained = !over;
        }
    }
    sync_all_scopes();
    {
        const merging here(*current_worker());
        current_worker()->views.finish_run(mine->run);
    }
    // First, since the thread that has waited may stop the workers at once.
    mine->held.reset();
    detail::one_task_less(g);
}

// A task was put aside outside of any run, and no drainer was there.
void send_drainer(group_state &g, group_record &r) {
    auto *const fresh = new (std::nothrow) drainer(g);
    if (fresh != nullptr && (*fresh->held)->size() > 1) {
        fresh->beginning.what = {.suspended = nullptr, .body = drain, .argument = fresh};
        make_ready(*fresh->held->operator->(), fresh->beginning);
        return;
    }
    // There is no thread that would do it, or no memory: the wait does.
    delete fresh;
    {
        const std::lock_guard guard(r.lock);
        r.drained = false;
    }
    detail::one_task_less(g);
}

// Whether all counted tasks have ended. Under the lock: the last of them may still hold it.
bool is_through(group_state &g) {
    group_record *const r = record_if_any(g);
    if (r == nullptr)
        // Acquire: pairs with one_task_less.
        return g.state.load(std::memory_order_acquire) < group_state::one;
    const std::lock_guard guard(r->lock);
    return r->first == nullptr && g.state.load(std::memory_order_acquire) < group_state::one;
}

std::exception_ptr take_error(group_state &g) {
    group_record *const r = record_if_any(g);
    if (r == nullptr)
        return nullptr;
    const std::lock_guard guard(r->lock);
    return std::exchange(r->error, nullptr);
}

void offer_error(group_state &g, std::uint64_t key, std::exception_ptr error) {
    group_record &r = record_of(g);
    const std::lock_guard guard(r.lock);
    if (r.error == nullptr || key < r.key) {
        std::swap(r.error, error);
        r.key = key;
    }
}

task_group_status end_cancellation(group_state &g) {
    // Relaxed: what a cancelled task has done is another matter.
    if ((g.state.load(std::memory_order_relaxed) & group_state::cancelled) == 0 ||
        (g.state.fetch_and(~group_state::cancelled, std::memory_order_relaxed) &
         group_state::cancelled) == 0)
        return task_group_status::complete;
    detail::cancelled_groups.fetch_sub(1, std::memory_order_relaxed);
    return task_group_status::canceled;
}

// Waits for all tasks: those in `s`, a scope of the flow that runs, and those that count.
task_group_status wait_in(group_state &g, scope &s) {
    std::exception_ptr error;
    do {
        begin_all_aside(g, s);
        try {
            s.sync();
        } catch (...) {
            if (error == nullptr)
                error = detail::caught_error();
        }
        if (!is_through(g) && !begin_all_aside(g, s))
            park_for(g);
    } while (!is_through(g));
    platform::take_over(&g.state);
    const task_group_status how = end_cancellation(g);
    const std::exception_ptr other = take_error(g);
    if (error != nullptr)
        std::rethrow_exception(std::move(error));
    if (other != nullptr)
        std::rethrow_exception(other);
    return how;
}

// Whether a flow has made it that could run.
bool has_maker(const group_state &g) {
    const sg_deque *const outside = hyperobjects::outside_head()->header.deque;
    return g.children.home() != nullptr && g.children.home() != outside;
}

bool has_open_children(group_state &g) {
    // Acquire: pairs with give_record.
    const detail::scope_record *const r = g.children.record_slot().load(std::memory_order_acquire);
    return r != nullptr && r->open;
}

[[noreturn]] void refuse(const char *what) {
    std::fprintf(stderr,
                 "saguaro: task_group: %s in another flow than the one that made the group; give "
                 "its constructor saguaro::any_flow, and any flow may\n",
                 what);
    std::abort();
}

// On a worker. `has_entered`: the flow is a root that has been begun for the wait.
task_group_status wait_here(group_state &g, bool has_entered) {
    deque &here = *current_deque();
    if (&here == g.children.home())
        return wait_in(g, g.children);
    if (here.task->of == &g) {
        // It is a task that waits: for what it has run.
        scope &own = static_cast<detail::group_task *>(here.task)->children;
        own.sync();
        return detail::is_group_cancelled(g) ? task_group_status::canceled
                                             : task_group_status::complete;
    }
    if (has_maker(g) && (!has_entered || has_open_children(g)))
        refuse("wait");
    sync_adopted();
    scope s;
    return wait_in(g, s);
}

} // namespace

} // namespace saguaro::forkjoin

namespace saguaro::detail {

using namespace forkjoin;

void put_aside(aside_task *task) noexcept {
    platform::hand_over(task);
    group_state &g = task->of;
    group_record &r = record_of(g);
    const bool from_outside = current_worker() == nullptr;
    bool sends = false;
    waiter *woken = nullptr;
    one_task_more(g);
    {
        const std::lock_guard guard(r.lock);
        task->number = r.puts++;
        *r.end = task;
        r.end = &task->next;
        if (r.waiting != nullptr)
            woken = take_waiters(g, r); // they begin it
        else if (from_outside && !r.drained) {
            r.drained = sends = true;
            one_task_more(g); // the drainer
        }
    }
    wake(woken);
    if (sends)
        send_drainer(g, r);
}

void finish_aside(aside_task *task, bool runs) noexcept {
    group_state &g = task->of;
    spawn_deque &here = *current_deque(); // the flow keeps it
    task_node *const before = here.task;
    try {
        if (runs && !is_group_cancelled(g))
            task->call();
    } catch (...) {
        offer_error(g, task->number, detail::caught_error());
    }
    here.task = before;
    delete task;
    one_task_less(g);
}

void end_task(group_task &task, bool thrown) {
    struct at_end {
        scope &children;
        ~at_end() { std::destroy_at(&children); }
    } const ended{task.children};
    task.children.sync();
    // The deepest leave it to a task above them, or to the wait.
    const bool begins = !thrown && task.depth < group_task::deepest;
    while (begins && begin_all_aside(task.group(), task.children))
        task.children.sync();
    // What the task has run into a group that it has made, and that lives on: the tasks there look
    // at this one.
    if (current_deque()->scopes != nullptr)
        sync_all_scopes();
}

scope *adopt_task(group_state &g) noexcept {
    one_task_more(g);
    deque &mine = *current_deque();
    // Recordings hear of the scopes of functions only.
    if (spawn_observer::now() != nullptr)
        return nullptr;
    // A C function that was taken ends its strand where no scope is looked for.
    const std::lock_guard guard(mine.lock);
    const bool is_c = mine.origin != nullptr || mine.stubs != nullptr ||
                      mine.entries.at_or_below(mine.tail) != nullptr;
    return is_c ? nullptr : &mine.adopted;
}

void fail_task(group_state &g) noexcept {
    group_record &r = record_of(g);
    std::uint64_t now;
    {
        const std::lock_guard guard(r.lock);
        now = by_time + r.puts++;
    }
    offer_error(g, now, detail::caught_error());
}

void one_task_less(group_state &g) noexcept {
    platform::hand_over(&g.state); // an instrumented load of it takes over, as in is_idle
    std::uint64_t now = g.state.load(std::memory_order_relaxed);
    while ((now & group_state::has_waiters) == 0 || now >= 2 * group_state::one)
        // Release: pairs with the waiters' acquire; what the task did is visible. It is the last
        // that touches the group.
        if (g.state.compare_exchange_weak(now, now - group_state::one, std::memory_order_release,
                                          std::memory_order_relaxed))
            return;
    // Most likely the last. Under the lock, which a waiter takes before it goes on: one may be
    // woken by others meanwhile.
    group_record &r = *record_if_any(g);
    waiter *woken = nullptr;
    {
        const std::lock_guard guard(r.lock);
        if (g.state.fetch_sub(group_state::one, std::memory_order_acq_rel) < 2 * group_state::one)
            woken = take_waiters(g, r);
    }
    wake(woken);
}

task_group_status wait_for_group(group_state &g) {
    if (current_worker() != nullptr)
        return wait_here(g, false);
    return saguaro::run([&] { return wait_here(g, true); });
}

void end_group(group_state &g) noexcept {
    const bool is_makers = current_worker() != nullptr && current_deque() == g.children.home();
    if (has_maker(g) && !is_makers && has_open_children(g))
        refuse("the end");
    const auto wait = [&] {
        scope s;
        try {
            if (is_makers)
                wait_in(g, g.children);
            else
                wait_in(g, s);
        } catch (...) {
            // No wait has asked for it.
        }
    };
    if (current_worker() != nullptr && !is_makers)
        sync_adopted();
    if (!is_through(g) || is_makers)
        saguaro::run(wait);
    end_cancellation(g);
    delete record_if_any(g);
    std::destroy_at(&g.children);
}

void cancel_group(group_state &g) noexcept {
    // Release: pairs with is_group_cancelled; who sees it sees what the caller did before.
    if ((g.state.fetch_or(group_state::cancelled, std::memory_order_release) &
         group_state::cancelled) == 0)
        cancelled_groups.fetch_add(1, std::memory_order_relaxed);
}

namespace {

bool is_flagged(const group_state &g) {
    // Acquire: pairs with cancel_group.
    return (g.state.load(std::memory_order_acquire) & group_state::cancelled) != 0;
}

// The tasks that the flow descends from are there as long as it is.
bool is_a_task_cancelled() {
    const auto &here = *static_cast<spawn_deque *>(SG_REGION_GET(sg_deque *, deque));
    for (const task_node *task = here.task; task != &no_task; task = task->outer)
        if (task->of != nullptr && is_flagged(*static_cast<const group_state *>(task->of)))
            return true;
    return false;
}

} // namespace

bool is_group_cancelled(const group_state &g) noexcept {
    return is_flagged(g) || is_a_task_cancelled();
}

bool is_current_group_cancelled() noexcept {
    return is_a_task_cancelled();
}

} // namespace saguaro::detail

struct sg_task_group : saguaro::task_group {
    sg_task_group() : task_group(saguaro::any_flow) {}
};

extern "C" {

sg_task_group *sg_task_group_create(void) {
    return new (std::nothrow) sg_task_group;
}

void sg_task_group_destroy(sg_task_group *group) {
    delete group;
}

int sg_task_group_run(sg_task_group *group, void (*function)(void *), void *argument) {
    if (group == nullptr || function == nullptr)
        return EINVAL;
    try {
        group->run([=] { function(argument); });
    } catch (const std::bad_alloc &) {
        return ENOMEM;
    }
    return 0;
}

int sg_task_group_wait(sg_task_group *group) {
    if (group == nullptr)
        return EINVAL;
    return group->wait() == saguaro::task_group_status::canceled ? ECANCELED : 0;
}

void sg_task_group_cancel(sg_task_group *group) {
    if (group != nullptr)
        group->cancel();
}

int sg_task_group_is_canceling(const sg_task_group *group) {
    return group != nullptr && group->is_canceling();
}
}
