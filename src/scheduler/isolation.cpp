// SPDX-License-Identifier: MIT
// Roots inside others, and in arenas: a thread works for one part of its root only.
#include "scheduler/isolation.hpp"

#include "platform/arch.hpp"
#include "platform/no_memory.hpp"
#include "platform/sanitizer.hpp"
#include "scheduler/arena.hpp"
#include "scheduler/idle.hpp"
#include "scheduler/observer.hpp"
#include "scheduler/runtime.hpp"
#include "scheduler/stand_ins.hpp"
#include "scheduler/steal.hpp"
#include "stacks/exceptions.hpp"

#include <mutex>
#include <new>
#include <utility>

namespace saguaro::scheduler {

isolation::~isolation() {
    while (free_ != nullptr)
        delete std::exchange(free_, free_->next);
}

nesting *isolation::take(const nesting *outer, sg_arena *in) {
    nesting *one;
    {
        const std::lock_guard guard(lock_);
        one = free_;
        if (one != nullptr)
            free_ = one->next;
    }
    if (one == nullptr && (one = new (std::nothrow) nesting) == nullptr)
        platform::end_without_memory("an isolated part of a run");
    one->outer.store(outer, std::memory_order_relaxed);
    one->in.store(in, std::memory_order_relaxed);
    return one;
}

void isolation::give(nesting &done) {
    const std::lock_guard guard(lock_);
    done.next = std::exchange(free_, &done);
}

bool works_for(const root *mine, const cause &whose) {
    if (mine == nullptr)
        return true;
    if (mine->nested == nullptr)
        return whose.entered == mine;
    for (const nesting *each = whose.within; each != nullptr;
         each = each->outer.load(std::memory_order_relaxed))
        if (each == mine->nested)
            return true;
    return false;
}

namespace {

// What the flow that runs on `w` has, for the root that it begins, and gets back afterwards.
class setting_aside {
public:
    setting_aside(worker &w, root &inner)
        : w_(w), inner_(inner), record_(stacks::exceptions_of_this_thread()),
          exceptions_(stacks::take_exceptions(record_)) {
        inner_.views = w_.views.take();
        w_.clock.enter(stopwatch::sleeping);
        w_.views.detach();
    }
    ~setting_aside() {
        w_.views.attach();
        w_.clock.enter(stopwatch::working);
        w_.views.put(inner_.views);
        stacks::give_exceptions(record_, exceptions_);
    }
    setting_aside(const setting_aside &) = delete;
    setting_aside &operator=(const setting_aside &) = delete;

private:
    worker &w_;
    root &inner_;
    void **const record_;
    const stacks::kept_exceptions exceptions_;
};

} // namespace

// The thread leaves the worker `w` with its flow, from which others may take meanwhile, and has
// another worker until the root is done. Its loop runs on the flow's stack.
bool isolation::enter(worker &w, void (*function)(void *), void *argument, sg_arena *arena) {
    deque *const flow = current_deque();
    // A monoid's function in the loop; spawns that one observer follows in one flow; the child of a
    // fork.
    if (flow == nullptr || spawn_observer::now() != nullptr || rt_.alone())
        return false;
    const cause outer = w.whose();
    nesting *const mine = take(outer.within, arena != nullptr ? arena : arena_of(outer));
    const bool takes_place = arena != nullptr && !has_place(w, *arena);
    worker &inner = rt_.callers().take(false);
    // One that the worker has at hand is not to be had otherwise.
    if (inner.reserve == nullptr && (inner.reserve = w.at_hand.take()) == nullptr)
        inner.end_without_stack();
    // This thread answers no thief for `w` meanwhile.
    expect_thieves(w, *flow);
    root r;
    r.function = function;
    r.argument = argument;
    r.strand_node = detail::strand_node();
    r.task = flow->task;
    r.nested = mine;
    r.entered = outer.entered;
    if (takes_place) {
        add_caller(*arena);
        r.home = arena;
    }
    r.thread.mine = &r;
    r.thread.seat = &inner;
    inner.around = &w;
    rt_.seating().count_inside(1);
    const std::uint64_t since = platform::ticks();
    {
        const setting_aside rest(w, r);
        begin_working(r.thread);
        work_until_over(r.thread, rt_);
        platform::take_over(&r);
        if (r.thread.at != nullptr)
            end_working(r.thread);
        else if (!rt_.alone())
            rt_.seating().leave(r.thread, 0);
    }
    if (rt_.alone())
        return true; // the rest is the parent's
    inner.is_worth_help = platform::ticks() - since > platform::ticks_worth_a_wake;
    inner.is_untidy = true;
    inner.around = nullptr;
    callers::give(inner);
    rt_.seating().count_inside(-1);
    give(*mine);
    if (takes_place)
        remove_caller(rt_, *arena);
    return true;
}

void isolation::enter_from_outside(void (*function)(void *), void *argument, sg_arena &arena,
                                   bool alone) {
    root r;
    r.function = function;
    r.argument = argument;
    r.nested = take(nullptr, &arena);
    r.entered = &r;
    r.home = &arena;
    add_caller(arena);
    rt_.enter(r, alone);
    if (rt_.alone())
        return; // the rest is the parent's
    give(*r.nested);
    remove_caller(rt_, arena);
}

void isolation::run(void *argument) {
    root &r = *static_cast<root *>(argument);
    deque &flow = *current_deque();
    current_worker()->views.put(r.views);
    SG_REGION_SET(strand_node, r.strand_node);
    detail::task_node of_flow{nullptr, r.task, r.task->depth};
    flow.task = &of_flow;
    if (observer *const o = observer::now())
        o->root_begins(*current_worker(), flow);
    r.function(r.argument);
    if (flow.scopes != nullptr) [[unlikely]]
        sync_all_scopes();
    flow.task = &detail::no_task;
    if (observer *const o = observer::now())
        o->root_ends(*current_worker());
    r.views = current_worker()->views.take();
    platform::hand_over(&r);
    tell_over(r.thread);
}

} // namespace saguaro::scheduler

extern "C" void sg_isolate(void (*function)(void *), void *argument) {
    using namespace saguaro::scheduler;
    worker *const w = current_worker();
    if (w == nullptr) {
        sg_run(function, argument);
        return;
    }
    refuse_if_blocking(*w);
    if (!w->rt.isolated.enter(*w, function, argument, nullptr))
        function(argument);
}
