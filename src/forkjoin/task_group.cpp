// SPDX-License-Identifier: MIT
// Groups of tasks: the tasks that no scope waits for, those that are put aside, and the wait.
#include "saguaro/task_group.hpp"

#include "hyperobjects/region.hpp"
#include "hyperobjects/view_set.hpp"
#include "platform/no_memory.hpp"
#include "platform/sanitizer.hpp"
#include "platform/spin_lock.hpp"
#include "saguaro/run.hpp"
#include "scheduler/continuation.hpp"
#include "scheduler/merging.hpp"
#include "scheduler/observer.hpp"
#include "scheduler/ready.hpp"
#include "scheduler/runtime.hpp"
#include "scheduler/steal.hpp"
#include "scheduler/worker.hpp"

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

// A root that begins the tasks that were put aside by threads outside of any run.
struct drainer {
    explicit drainer(group_state &group) : of(group) {}

    group_state &of; // of which it counts as a task
    std::optional<threadless_hold> held{std::in_place};
    ready_work beginning;
    hyperobjects::run run{};
};

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
    // A root of the group's own that begins the tasks which threads outside have put aside. The one
    // that works in order is the only one that begins tasks: there is one worker.
    enum { none, sent, at_work, at_work_in_order } drains = none;
    forkjoin::drainer *drainer = nullptr; // while it is sent
    unsigned waits_in_order = 0;          // under way with one worker, which begin the tasks
    std::atomic<unsigned> forks{scheduler::forks_so_far()}; // when a thread outside looked last

    bool lacks_drainer() const { return drains == none && waits_in_order == 0; }
    // The exception with the smallest key.
    std::exception_ptr error;
    std::uint64_t key = 0;
};

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
    mine.again.is_runtimes = w.guest == nullptr;
    {
        const std::lock_guard guard(r.lock);
        // Not beside a drainer that it may have to call back.
        if (r.drains != group_record::sent &&
            (r.first == nullptr || r.drains == group_record::at_work_in_order)) {
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

// The oldest; null: there is none, or they are the drainer's to begin.
aside_task *take_aside(group_record &r, bool for_drainer) {
    const std::lock_guard guard(r.lock);
    aside_task *const task = r.first;
    if (task == nullptr || (!for_drainer && r.drains == group_record::at_work_in_order))
        return nullptr;
    r.first = task->next;
    if (r.first == nullptr)
        r.end = &r.first;
    platform::take_over(task);
    return task;
}

// Begins the tasks that were put aside, as children in `s`, a scope of the flow that runs. Whether
// there were any.
bool begin_all_aside(group_state &g, scope &s, bool for_drainer = false) {
    group_record *const r = record_if_any(g);
    if (r == nullptr)
        return false;
    bool any = false;
    while (aside_task *const task = take_aside(*r, for_drainer)) {
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

// With one worker: once a task has waited in a blocking scope.
bool threads_steal(runtime &rt) {
    return is_shared(rt.size(), rt.seating());
}

// The lock is held. The drainer that was sent is no more in the list of ready work.
void begin_draining(group_record &r, runtime &rt) {
    r.drains = threads_steal(rt) ? group_record::at_work : group_record::at_work_in_order;
    r.drainer = nullptr;
}

// By a flow that waits. If no thread has begun the drainer, none may do so for long.
void call_back_drainer(group_state &g) {
    group_record *const r = record_if_any(g);
    if (r == nullptr)
        return;
    std::unique_ptr<drainer> called_back;
    {
        const std::lock_guard guard(r->lock);
        if (r->drains != group_record::sent)
            return;
        runtime &rt = *r->drainer->held->operator->();
        if (rt.ready.remove(r->drainer->beginning)) {
            r->drainer->held->waits_no_more();
            r->drains = group_record::none;
            called_back.reset(std::exchange(r->drainer, nullptr));
        } else {
            begin_draining(*r, rt); // a thread has just taken it
        }
    }
    if (called_back != nullptr)
        detail::one_task_less(g);
}

// Whether nothing is left to begin. Then the drainer is none any more.
bool ends_draining(group_record &r) {
    const std::lock_guard guard(r.lock);
    if (r.first != nullptr)
        return false;
    r.drains = group_record::none;
    return true;
}

void drain(void *argument) {
    const std::unique_ptr<drainer> mine(static_cast<drainer *>(argument));
    group_state &g = mine->of;
    group_record &r = *record_if_any(g);
    mine->held->waits_no_more();
    current_worker()->views.begin_run(mine->run);
    {
        const std::lock_guard guard(r.lock);
        begin_draining(r, current_worker()->rt);
    }
    {
        scope s;
        // Where threads steal, another one begins later tasks while this one waits for its own.
        do {
            begin_all_aside(g, s, true);
            if (!threads_steal(current_worker()->rt))
                s.sync();
        } while (!ends_draining(r));
        s.sync();
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

// Whether it was sent, which keeps what it counts as. Not if there is no thread that would do it,
// or no memory: then the wait does.
bool send(drainer *fresh, group_record &r, threadless_hold &workers) {
    if (fresh == nullptr || !workers.has_thread())
        return false;
    fresh->beginning.what = {.suspended = nullptr, .body = drain, .argument = fresh};
    fresh->beginning.is_runtimes = true;
    const std::lock_guard guard(r.lock);
    // A flow that waits may have begun all tasks meanwhile.
    if (r.first == nullptr || !r.lacks_drainer())
        return false;
    r.drains = group_record::sent;
    r.drainer = fresh;
    fresh->held->waits_for_thread();
    workers->ready.push(fresh->beginning);
    return true;
}

// A task was put aside outside of any run, and no drainer was there, for which the caller has
// counted.
void send_drainer(group_state &g, group_record &r) {
    // The drainer may be over at once, or a wait which the end of the count wakes, and the workers
    // be stopped.
    threadless_hold workers;
    std::unique_ptr<drainer> fresh(new (std::nothrow) drainer(g));
    if (send(fresh.get(), r, workers)) {
        fresh.release();
        call_for_threadless(*workers.operator->());
    } else {
        detail::one_task_less(g);
    }
}

// Whether all counted tasks have ended. Under the lock: the last of them may still hold it.
// `ends_wait`: then one of `waits_in_order` is over. In the same step, or no drainer might be sent
// for a task, since it is left to this wait.
bool is_through(group_state &g, bool ends_wait = false) {
    group_record *const r = record_if_any(g);
    if (r == nullptr)
        // Acquire: pairs with one_task_less.
        return g.state.load(std::memory_order_acquire) < group_state::one;
    const std::lock_guard guard(r->lock);
    const bool is =
        r->first == nullptr && g.state.load(std::memory_order_acquire) < group_state::one;
    if (is && ends_wait)
        --r->waits_in_order;
    return is;
}

// Whether is_through has to end it.
bool begin_wait_in_order(group_state &g) {
    group_record *const r = record_if_any(g);
    if (r == nullptr || threads_steal(current_worker()->rt))
        return false;
    const std::lock_guard guard(r->lock);
    ++r->waits_in_order;
    return true;
}

// False: there are tasks to begin first.
bool end_order(group_state &g, bool &in_order) {
    if (!in_order)
        return true;
    group_record &r = *record_if_any(g);
    const std::lock_guard guard(r.lock);
    if (r.first != nullptr && r.drains != group_record::at_work_in_order)
        return false;
    --r.waits_in_order;
    in_order = false;
    return true;
}

// begin_all_aside for a wait, which syncs next. `in_order`: whether it is one of `waits_in_order`.
// If threads steal by then, a task that it has begun may wait for one that is still to come, and
// others begin that.
bool begin_all_in_wait(group_state &g, scope &s, bool &in_order) {
    bool any = false;
    do {
        if (!in_order)
            in_order = begin_wait_in_order(g);
        any = begin_all_aside(g, s) || any;
    } while (threads_steal(current_worker()->rt) && !end_order(g, in_order));
    return any;
}

bool has_aside(group_state &g) {
    group_record *const r = record_if_any(g);
    if (r == nullptr)
        return false;
    const std::lock_guard guard(r->lock);
    return r->first != nullptr;
}

// By a task at its end, as by a wait: with one worker no drainer begins others meanwhile.
void begin_all_at_end(group_state &g, scope &s) {
    if (!has_aside(g))
        return;
    bool in_order = begin_wait_in_order(g);
    do {
        if (in_order)
            call_back_drainer(g);
        while (begin_all_in_wait(g, s, in_order))
            s.sync();
    } while (!end_order(g, in_order));
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
    bool in_order = begin_wait_in_order(g);
    do {
        call_back_drainer(g);
        begin_all_in_wait(g, s, in_order);
        try {
            s.sync();
        } catch (...) {
            if (error == nullptr)
                error = detail::caught_error();
        }
        call_back_drainer(g);
        if (!is_through(g) && !begin_all_in_wait(g, s, in_order))
            park_for(g);
    } while (!is_through(g, in_order));
    platform::take_over(&g.state);
    const task_group_status how = end_cancellation(g);
    const std::exception_ptr other = take_error(g);
    if (error != nullptr)
        std::rethrow_exception(std::move(error));
    if (other != nullptr)
        std::rethrow_exception(other);
    return how;
}

[[noreturn]] void give_up_group_in_child() {
    std::fputs("saguaro: a process that forked while tasks of a task_group were under way needs "
               "threads that only its parent has; wait for the group before fork\n",
               stderr);
    std::_Exit(1);
}

platform::spin_lock looks_for_fork;

// In the child of a fork there are no drainer and no waiters, and the lock may be held for ever.
// What no thread had begun is there.
void look_for_fork(group_state &g, group_record &r) {
    // Acquire: pairs with the release below; all is as new.
    if (r.forks.load(std::memory_order_acquire) == forks_so_far()) [[likely]]
        return;
    const std::lock_guard guard(looks_for_fork);
    if (r.forks.load(std::memory_order_relaxed) == forks_so_far())
        return;
    const std::uint64_t drainers = r.drains == group_record::sent ? 1 : 0;
    std::uint64_t waiting_tasks = drainers;
    for (const aside_task *each = r.first; each != nullptr; each = each->next)
        ++waiting_tasks;
    // Relaxed: no other thread has got this far.
    const std::uint64_t now = g.state.load(std::memory_order_relaxed);
    if (now / group_state::one != waiting_tasks)
        give_up_group_in_child();
    g.state.store((now & ~group_state::has_waiters) - drainers * group_state::one,
                  std::memory_order_relaxed);
    r.drains = group_record::none;
    r.drainer = nullptr; // the parent's
    r.waiting = nullptr;
    r.waits_in_order = 0;
    r.lock.unlock();
    r.forks.store(forks_so_far(), std::memory_order_release);
}

// In the child of a fork, without a record: whether tasks are counted although nothing runs that
// they could be a part of. In this order: at the last look at the roots all have ended, or none has
// begun since the first.
bool counts_what_is_gone(const group_state &g) {
    const std::uint32_t before = roots_so_far();
    return roots_under_way() == 0 && g.state.load(std::memory_order_acquire) >= group_state::one &&
           roots_so_far() == before;
}

// The same before the record is made, a task counts, or a wait begins. Not on the worker that a
// fork in a task has left alone: it has no other threads, and what it goes on with is counted.
void look_for_fork(group_state &g) {
    if (forks_so_far() == 0) [[likely]]
        return;
    const worker *const w = current_worker();
    if (w != nullptr && w->rt.alone())
        return;
    if (group_record *const r = record_if_any(g))
        look_for_fork(g, *r);
    else if (w == nullptr && counts_what_is_gone(g))
        give_up_group_in_child();
}

// Whether a flow has made it that could run.
bool has_maker(const group_state &g) {
    const sg_deque *const outside = hyperobjects::outside_head()->header.deque;
    return g.children.home() != nullptr && g.children.home() != outside;
}

bool has_open_children(group_state &g) {
    const detail::scope_record *const r = g.children.record_of_others();
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
    look_for_fork(g);
    group_record &r = record_of(g);
    const bool from_outside = current_worker() == nullptr;
    // A thread that ends would have a runtime of its own for each drainer.
    const bool may_send = from_outside && !this_thread_ends();
    bool sends = false;
    waiter *woken = nullptr;
    std::optional<held_runtime>
        workers; // the woken may be over at once, and the workers be stopped
    one_task_more(g);
    {
        const std::lock_guard guard(r.lock);
        task->number = r.puts++;
        *r.end = task;
        r.end = &task->next;
        if (r.waiting != nullptr && r.drains != group_record::at_work_in_order) {
            if (from_outside)
                workers.emplace(); // none is started under the lock: the waiters hold it as well
            woken = take_waiters(g, r); // they begin it
        } else if (may_send && r.lacks_drainer()) {
            sends = true;
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
    if (!thrown && task.depth < group_task::deepest)
        begin_all_at_end(task.group(), task.children);
    // What the task has run into a group that it has made, and that lives on: the tasks there look
    // at this one.
    if (current_deque()->scopes != nullptr)
        sync_all_scopes();
}

scope *adopt_task(group_state &g) noexcept {
    look_for_fork(g);
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
    look_for_fork(g);
    if (current_worker() != nullptr) {
        refuse_wait_without_flow();
        return wait_here(g, false);
    }
    return saguaro::run([&] { return wait_here(g, true); });
}

void end_group(group_state &g) noexcept {
    look_for_fork(g);
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

} // namespace saguaro::detail
