// SPDX-License-Identifier: MIT
// A worker's chain of deques, its stacks, and its loop of flows.
#include "scheduler/worker.hpp"

#include "platform/clock.hpp"
#include "platform/memory.hpp"
#include "platform/thread.hpp"
#include "scheduler/arena.hpp"
#include "scheduler/idle.hpp"
#include "scheduler/merging.hpp"
#include "scheduler/observer.hpp"
#include "scheduler/runtime.hpp"
#include "scheduler/steal.hpp"
#include "stacks/shortage.hpp"

#include <algorithm>
#include <cassert>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <new>
#include <utility>

namespace saguaro::scheduler {

namespace {

// The slot below the first, and the null behind the last.
constexpr std::size_t other_slots = 2;
constexpr std::size_t chain_bytes = (chain::most + other_slots) * sizeof(deque *);

// With the other two a page of most systems.
constexpr std::size_t first_slots = 510;

} // namespace

bool chain::reserve() {
    void *const memory =
        platform::reserve_partly(chain_bytes, (first_slots + other_slots) * sizeof(deque *));
    if (memory == nullptr)
        return false;
    slots = static_cast<deque **>(memory) + 1;
    end = slots + first_slots;
    return true;
}

bool chain::extend() {
    const auto now = static_cast<std::size_t>(end - slots);
    const std::size_t more = std::min(now + 1, capacity - now);
    if (more == 0 || !platform::commit(end + 1, more * sizeof(deque *)))
        return false;
    end += more;
    return true;
}

void chain::bring_to(unsigned node) {
    numa::bring(slots - 1, static_cast<std::size_t>(end + 1 - slots + 1) * sizeof(deque *), node);
}

void chain::release() {
    platform::release(slots - 1, chain_bytes);
}

namespace {

int thought_node_of(const runtime &rt, unsigned number) {
    if (rt.thought_nodes.empty())
        return SG_ANY_NODE;
    const int node = rt.thought_nodes[number % rt.thought_nodes.size()];
    return node >= 0 ? node : -2;
}

} // namespace

worker::worker(runtime &r, unsigned number)
    : at_hand(r.stacks()), fence_ticks(r.first_fence_ticks), rt(r), id(number),
      thought_node(thought_node_of(r, number)) {
    assert(static_cast<void *>(static_cast<detail::spawn_worker *>(&parents)) == this);
    if (!parents.reserve())
        throw std::bad_alloc();
    parents.start(parents.slots, r.asks_always);
    region->worker = reinterpret_cast<sg_worker *>(this);
    region->chain = reinterpret_cast<void **>(parents.slots);
    views.keep_times(r.counts);
    if (r.counts)
        clock.start();
}

worker::~worker() {
    if (reserve != nullptr)
        at_hand.give(reserve);
    parents.release();
}

void worker::follow_thread() {
    const unsigned here = numa::node_index_here();
    if (here == node.load(std::memory_order_relaxed))
        return;
    node.store(here, std::memory_order_relaxed);
    numa::bring(this, sizeof(*this), here);
    parents.bring_to(here);
    views.bring_to(here);
    // The stacks go home.
    give_stacks();
}

void worker::give_stacks() {
    if (reserve != nullptr)
        at_hand.give(std::exchange(reserve, nullptr));
    at_hand.rest();
}

bool worker::has_stack() {
    if (reserve == nullptr)
        reserve = at_hand.take();
    return reserve != nullptr;
}

void worker::end_without_stack() const {
    std::fprintf(stderr, "saguaro: %s\n", stacks::shortage(rt.stacks()).c_str());
    std::_Exit(1);
}

stacks::stack *worker::take_stack() {
    if (!has_stack())
        end_without_stack();
    return std::exchange(reserve, nullptr);
}

namespace {

// Of a deque or a chain.
template <class Row>
void expect_thieves_of(Row &row) {
    const std::lock_guard guard(row.lock);
    row.expect_thieves();
}

} // namespace

void expect_thieves(worker &w, deque &d) {
    if (w.rt.size() == 1)
        return;
    expect_thieves_of(d);
    expect_thieves_of(w.parents);
}

namespace {

// Where there was one thief there are more: makes the next slots public of the flow on `d`, which
// is about to run here, unless they are. Most often they are, and a lock would take a line from
// thieves.
void expect_more_thieves(worker &w, deque &d) {
    if (w.rt.size() == 1)
        return;
    // Relaxed, all three: nobody else runs the flow, and the chain's tail is its head here.
    sg_frame **const exc = __atomic_load_n(&d.exc, __ATOMIC_RELAXED);
    if (!deque::is_public_below(exc, d.head.load(std::memory_order_relaxed)))
        expect_thieves_of(d);
    void **const parents_exc = __atomic_load_n(&w.parents.exc, __ATOMIC_RELAXED);
    if (!chain::is_public_below(reinterpret_cast<deque **>(parents_exc),
                                reinterpret_cast<deque **>(SG_REGION_GET(void **, chain))))
        expect_thieves_of(w.parents);
}

// The chain may begin so many slots above its first. Then its lock, and the line that thieves have
// written, is needed once for so many thefts.
constexpr std::ptrdiff_t most_behind = 32;

// The flow that ran has stopped to run here, so all its parents were taken: it stops only where one
// of them was (its end) or where something newer was (a join), and thieves take the oldest first.
// So the chain is empty: its head is where its tail is, and all thieves of that flow have moved it.
void leave_chain(worker &w) {
    deque **const tail = reinterpret_cast<deque **>(SG_REGION_GET(void **, chain));
    if (tail - w.parents.slots < most_behind)
        return;
    const std::lock_guard guard(w.parents.lock);
    for (deque **slot = w.parents.slots; slot != tail; ++slot)
        // Relaxed: thieves that read it find nothing to take.
        __atomic_store_n(slot, static_cast<deque *>(nullptr), __ATOMIC_RELAXED);
    w.parents.restart_at(w.parents.slots);
    SG_REGION_SET(chain, w.parents.slots);
}

// Around the program's code at the bottom of a flow. It is destroyed early when the C library
// unwinds the flow to end the thread; an exception that nobody catches ends the program before it
// gets here.
struct flow_of_a_thread {
    bool has_ended = false;

    ~flow_of_a_thread() {
        if (has_ended)
            return;
        // The thread is the worker's, or has entered: who waits for the flow would wait for ever.
        platform::abort_with_thread("task");
    }
};

// The first function on a stack: runs a piece of work; the loop goes on with what it leaves.
stacks::context *run_body(void *argument) {
    const work *const first = static_cast<const work *>(argument);
    deque *const d = current_deque();
    flow_of_a_thread flow;
    first->body(first->argument);
    flow.has_ended = true;
    // The flow may have moved: both are read anew.
    worker *const w = current_worker();
    d->reset();
    give_spares(*w, *d);
    w->at_hand.give(d->home());
    return &w->loop;
}

void tell_of_flow(const worker &w, const deque &d) {
    if (observer *const o = observer::now())
        o->flow_runs(w, d);
}

// Goes on with `now` and returns when its flow has ended or parked.
void run_work(worker &w, const work &now) {
    if (now.suspended != nullptr) {
        deque &d = *deque_of(now.suspended);
        restore_flow_state_if_any(d);
        expect_more_thieves(w, d);
        activate(w, &d);
        offer_to_sleepers(w);
        tell_of_flow(w, d);
        stacks::switch_to(w.loop, now.suspended->ctx);
    } else {
        stacks::stack *const s = w.take_stack();
        expect_more_thieves(w, *deque_of(s));
        activate(w, deque_of(s));
        offer_to_sleepers(w);
        tell_of_flow(w, *deque_of(s));
        stacks::start_on(w.loop, *s, run_body, const_cast<work *>(&now));
    }
    // A thief that still finds the old deque finds it empty or somebody else's, which is_oldest
    // notices.
    activate(w, nullptr);
    SG_REGION_SET(strand_node, nullptr);
    if (observer *const o = observer::now())
        o->flow_leaves(w);
    leave_chain(w);
    check_that_scopes_ended(w);
    // A flow that was begun elsewhere and has ended here has left its stack.
    if (w.may_move) [[unlikely]]
        w.at_hand.send_home();
    if (w.after != nullptr)
        std::exchange(w.after, nullptr)(w, w.after_argument);
}

} // namespace

void save_flow_state(deque &mine) {
    void **const record = SG_REGION_GET(void **, exceptions);
    mine.set_resume_flag(deque::saved_flow_state);
    mine.exceptions = stacks::take_exceptions(record);
    mine.strand_node = SG_REGION_GET(detail::ancestor *, strand_node);
    SG_REGION_SET(strand_node, nullptr);
}

void restore_flow_state(deque &mine) {
    void **const record = SG_REGION_GET(void **, exceptions);
    mine.clear_resume_flag(deque::saved_flow_state);
    stacks::give_exceptions(record, std::exchange(mine.exceptions, {}));
    SG_REGION_SET(strand_node, std::exchange(mine.strand_node, nullptr));
}

void give_spares(worker &w, deque &d) {
    d.clear_resume_flag(deque::surplus_child);
    // The child's is given last: it is the one to be used first, and the caller may run on it.
    deque *last = nullptr;
    for (deque *child = d.spawned_deque(); child != nullptr;) {
        deque *const next = child->spawned_deque();
        child->spawned = std::exchange(last, child);
        child = next;
    }
    d.spawned = nullptr;
    while (last != nullptr)
        w.at_hand.give(
            std::exchange(last, static_cast<deque *>(std::exchange(last->spawned, nullptr)))
                ->home());
}

void park(void (*after)(worker &, void *), void *argument) {
    worker *const w = current_worker();
    deque *const d = current_deque();
    refuse_if_blocking(*w);
    refuse_wait_in_merge(*w, *d);
    // In a destructor: the flow could go on in another thread, which would be ended instead.
    if (platform::thread_is_ending()) [[unlikely]]
        platform::abort_with_thread("task");
    counters::bump(w->count.parks);
    if (observer *const o = observer::now())
        o->flow_parks(*w, *d);
    save_flow_state_if_any(*d);
    give_spares(*w, *d);
    w->after = after;
    w->after_argument = argument;
    // For debuggers (tools/gdb): nobody else looks at the link of a stack in use, and in a pool
    // none is linked to itself.
    stacks::stack *const home = d->home();
    home->next = home;
    stacks::switch_to(home->ctx, w->loop);
    home->next = nullptr;
}

namespace {

// The only thread of a process that forked in a task has come to where it needs one of those that
// are not there: whoever called sg_run, or a strand that another worker had.
[[noreturn]] void give_up_alone() {
    std::fprintf(stderr, "saguaro: a process that forked in a task needs a thread that only its "
                         "parent has; leave the task with exec or _exit\n");
    std::_Exit(1);
}

// Whether the thread's root is not done, or, without a root, whether the runtime goes on. A thread
// that sleeps is told so, or gets up first: it is counted as long as it sleeps.
bool has_to_go_on(const participant &me, const runtime &rt) {
    return me.mine != nullptr || me.at == nullptr ? !me.is_over() : !rt.stopping();
}

// All that `w` has to do, and `first` before that.
void run_all(worker &w, const work &first) {
    run_work(w, first);
    while (w.next)
        run_work(w, std::exchange(w.next, {}));
    if (w.rt.alone() && (w.guest == nullptr || !w.guest->thread.is_over())) [[unlikely]]
        give_up_alone();
}

} // namespace

void begin_working(participant &me) {
    worker &w = *me.seat;
    me.at = &w;
    if (w.may_move) [[unlikely]]
        w.follow_thread();
    w.guest = me.mine;
    w.clock.enter(stopwatch::searching);
    w.views.attach();
    SG_REGION_SET(exceptions, stacks::exceptions_of_this_thread());
}

void end_working(participant &me) {
    worker &w = *std::exchange(me.at, nullptr);
    w.clock.enter(stopwatch::sleeping);
    w.views.detach();
}

void work_until_over(participant &me, runtime &rt) {
    idleness idle(me, rt);
    while (has_to_go_on(me, rt)) {
        if (me.at == nullptr) {
            idle.wait();
            continue;
        }
        worker &w = *me.at;
        if (!w.next && idle.gives_way())
            continue;
        // Not by way of w.next: what has just been stored by halves would be loaded as a whole, and
        // the processor would wait for that.
        const work now = w.next ? std::exchange(w.next, {}) : find_work(w);
        if (now) {
            w.clock.enter(stopwatch::working);
            me.has_worked.store(true, std::memory_order_relaxed); // see there
            idle.found();
            run_all(w, now);
            w.clock.enter(stopwatch::searching);
        } else {
            idle.nothing();
        }
    }
    if (me.at != nullptr)
        leave_arena(*me.at);
}

} // namespace saguaro::scheduler
