// SPDX-License-Identifier: MIT
// A group of tasks that any task or thread may add to.
#pragma once

#include "saguaro/detail/cxx20.hpp"

#include "saguaro/detail/exceptions.hpp"
#include "saguaro/detail/race_names.h"
#include "saguaro/scope.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <type_traits>
#include <utility>

#if SG_RACE
namespace saguaro {

// A group's tasks have no serial order that the race detector could keep to.
class task_group {
public:
    SG_NOT_SERIES_PARALLEL("task groups: use a scope") task_group();
    template <class F>
    void run(F &&f);
    void wait();
    void cancel();
};

} // namespace saguaro
#else
namespace saguaro {

// Names the constructor of a task_group that any flow may wait for.
struct any_flow_t {};
[[gnu::visibility("hidden")]] inline constexpr any_flow_t any_flow{};

// How a group came to the end of a wait.
enum class task_group_status { not_complete, complete, canceled };

namespace detail {

// What the library keeps of a group once a task of it was counted and something is to be kept.
struct group_record;

// What groups have in common, whatever their tasks are.
struct group_state {
    // The bits of `state`. The rest counts, in steps of `one`, the tasks that no scope waits for.
    static constexpr std::uint64_t cancelled = 1;
    static constexpr std::uint64_t has_waiters = 2;
    static constexpr std::uint64_t has_record = 4;
    static constexpr std::uint64_t one = 8;

    group_state() : children() {}
    explicit group_state(sg_deque *maker) : children(maker) {}
    ~group_state() {}
    group_state(const group_state &) = delete;
    group_state &operator=(const group_state &) = delete;

    // What the maker runs, whose deque is the scope's home. Ended by end_group, if ever anything
    // was taken of it.
    union {
        scope children;
    };
    std::atomic<std::uint64_t> state{0};
    std::atomic<group_record *> record{nullptr};

    // The group of the scope, which is its `children`.
    static group_state *of_children(scope_head &s) { return reinterpret_cast<group_state *>(&s); }

    // Whether there is nothing to wait for, or to free. Acquire: pairs with one_task_less; what the
    // counted tasks have written is visible.
    bool is_idle() {
        return (reinterpret_cast<std::uintptr_t>(children.record()) |
                state.load(std::memory_order_acquire)) == 0;
    }
};

// The deque of the flow that runs.
inline spawn_deque &flow_that_runs() {
    return *static_cast<spawn_deque *>(SG_REGION_GET(sg_deque *, deque));
}

static_assert(offsetof(group_state, children) == 0);

// A task that runs, on the stack of its flow.
struct group_task : task_node {
    // So many tasks may run one in the other; what the last one runs is put aside. Each of them
    // has a stack of its own, of 12 KB at least.
    static constexpr unsigned deepest = 1000;

    // `flow`: the deque of the flow that it has.
    group_task(group_state &group, task_node *spawner, spawn_deque &flow)
        : task_node{&group, spawner, spawner->depth + 1}, children(&flow) {
        flow.task = this;
    }
    // The flow keeps its deque, on whatever worker.
    ~group_task() { flow().task = &no_task; }
    group_task(const group_task &) = delete;
    group_task &operator=(const group_task &) = delete;

    spawn_deque &flow() { return *static_cast<spawn_deque *>(children.home()); }
    group_state &group() { return *static_cast<group_state *>(of); }

    // Whether the task has come to its end with its function: nothing of its flow is out, be it in
    // a group that it has made and not waited for. Relaxed: what this flow has put aside it sees.
    bool is_over() {
        return (reinterpret_cast<std::uintptr_t>(children.record()) |
                reinterpret_cast<std::uintptr_t>(flow().scopes) |
                (group().state.load(std::memory_order_relaxed) / group_state::one)) == 0;
    }

    // What the task runs into its own group. Ended by end_task.
    union {
        scope children;
    };
};

// A task that was put aside: it begins when a worker has use for it, or in a wait.
struct aside_task {
    aside_task(group_state &group, child_entry first) : of(group), entry(first) {}
    virtual ~aside_task() = default;
    aside_task(const aside_task &) = delete;
    aside_task &operator=(const aside_task &) = delete;

    // Calls the task's function, on the task's flow.
    virtual void call() = 0;

    group_state &of;
    const child_entry entry; // calls finish_aside, as a child
    std::uint64_t number = 0;
    task_node above{}; // stands for the task that has begun it
    aside_task *next = nullptr;
};

// How many groups are cancelled at this moment, in the whole process.
extern std::atomic<unsigned> cancelled_groups;

// Puts the task aside, which counts from now on; takes it over.
void put_aside(aside_task *task) noexcept;

// The end of a task that was put aside; `runs`: it is to be called first.
void finish_aside(aside_task *task, bool runs) noexcept;

// The end of a task that has run other tasks: waits for them, and rethrows their serially first
// exception; begins those that were put aside, unless the task's function has `thrown`.
void end_task(group_task &task, bool thrown);

// The scope in which the flow that runs may spawn a task of another flow's group, which counts from
// now on. Null: the flow must call the task.
scope *adopt_task(group_state &group) noexcept;

// In a handler: a counted task has thrown the current exception.
void fail_task(group_state &group) noexcept;

// A counted task has ended. The group may be gone when this returns.
void one_task_less(group_state &group) noexcept;

// The rest of task_group's functions.
task_group_status wait_for_group(group_state &group);
void end_group(group_state &group) noexcept;
void cancel_group(group_state &group) noexcept;
bool is_group_cancelled(const group_state &group) noexcept;
bool is_current_group_cancelled() noexcept;

} // namespace detail

// Tasks that run in parallel, and that are waited for together. Any task may run more of them, and
// so may any thread.
//
//     saguaro::task_group g;
//     g.run([&] { visit(g, left); }); // which may call g.run in turn
//     g.run([&] { visit(g, right); });
//     g.wait();
//
// The function that makes a group in a run is the group's maker. A group that is made outside of
// any run, or with any_flow, has no maker. A group must live until its tasks have ended; its
// destructor waits for them.
//
// Serial order. The maker's tasks, and what they run into the same group, are begun at once, in the
// order of the serial program: reducers of any kind have the serial program's value after wait().
// What other flows run into the group, what a thread outside of any run does, and what would nest
// deeper than a thousand tasks has no order: only commutative reducers have one value then.
class task_group {
public:
    // Any thread.
    task_group() = default;
    // A group without a maker, wherever it is made.
    explicit task_group(any_flow_t) : state_(nullptr) {}
    task_group(const task_group &) = delete;
    task_group &operator=(const task_group &) = delete;

    // Waits for the tasks. Drops an exception that no wait has rethrown.
    ~task_group() {
        if (!state_.is_idle()) [[unlikely]]
            detail::end_group(state_);
    }

    // Runs f() as a task of the group: from any task, in a run or outside. In a run, f() begins at
    // once, on this worker and a stack of its own; meanwhile another worker may run what follows.
    // Outside, the task is put aside in the heap: another worker begins it, or wait() does. The
    // group moves `f`; that move must not run or wait. If the group is cancelled, f() is not
    // called.
    //
    // In the maker, and in a task of the group, it costs what scope::spawn does; elsewhere two
    // atomic additions more, and outside of any run an allocation. Throws std::bad_alloc there, and
    // what the move throws, at once or from wait().
    template <class F>
    void run(F &&f) {
        if constexpr (std::is_function_v<std::remove_reference_t<F>>) {
            run(&f);
        } else {
            // Relaxed: who sees a cancellation late begins one task more.
            if (detail::cancelled_groups.load(std::memory_order_relaxed) != 0) [[unlikely]]
                if (is_canceling())
                    return;
            detail::spawn_deque &here = detail::flow_that_runs();
            void *const from = const_cast<void *>(static_cast<const void *>(std::addressof(f)));
            if (&here == state_.children.home()) [[likely]] {
                if (!has_room(here)) [[unlikely]]
                    put_aside(std::forward<F>(f));
                else
                    state_.children.start(here, &begin<F, false>, from);
            } else if (here.task->of == &state_) {
                auto &task = *static_cast<detail::group_task *>(here.task);
                if (!has_room(here) || task.depth >= detail::group_task::deepest) [[unlikely]]
                    put_aside(std::forward<F>(f));
                else
                    task.children.start(here, &begin<F, true>, from);
            } else if (has_room(here)) {
                run_elsewhere<F>(here, {std::addressof(f), &state_});
            } else {
                put_aside(std::forward<F>(f));
            }
        }
    }

    // Returns when all tasks have ended, those that run meanwhile included. The flow is parked if
    // it has to wait, and its worker does something else.
    //
    // Rethrows an exception of a task: of the maker's tasks and theirs, the one that the serial
    // program would have met first; if none of them has thrown, that of another task, whichever was
    // first. An exception does not cancel the others. Afterwards the group is as new, whether it
    // was cancelled or has thrown.
    //
    // A group that has a maker is waited for by its maker alone; if another flow does so the
    // program ends with one line. A task of the group may wait too: it waits for what it has itself
    // run. A group without a maker is waited for by any task or thread, any number at a time.
    task_group_status wait() {
        if (&detail::flow_that_runs() != state_.children.home()) [[unlikely]]
            return detail::wait_for_group(state_);
        if (!state_.is_idle()) [[unlikely]]
            return detail::wait_for_group(state_);
        return task_group_status::complete;
    }

    // As run(f) and wait().
    template <class F>
    task_group_status run_and_wait(F &&f) {
        run(std::forward<F>(f));
        return wait();
    }

    // From now on no task of the group begins, nor one of a group that a task of this one runs
    // into, until the end of wait(). What runs already goes on, and may ask is_canceling(). Any
    // thread may call it while the group lives.
    void cancel() { detail::cancel_group(state_); }

    // Whether the group, or one that a caller's task descends from, is cancelled. Any thread.
    bool is_canceling() const { return detail::is_group_cancelled(state_); }

private:
    // What a counted task begins with.
    template <class F>
    struct launch {
        std::remove_reference_t<F> *f;
        detail::group_state *of;
    };

    template <class F>
    struct set_aside final : detail::aside_task {
        set_aside(detail::group_state &group, F &&from)
            : aside_task(group, &begin_aside<F>), f(std::forward<F>(from)) {}
        void call() override {
            detail::group_task self(of, &above, detail::flow_that_runs());
            task_group::call(f, self);
        }

        std::decay_t<F> f;
    };

    // Its address stands for the spawns of such a closure.
    template <class F>
    [[gnu::visibility("hidden")]] static constexpr char site_of = 0;

    // Whether there is a stack for a child. False: the task is to be put aside.
    static bool has_room(detail::spawn_deque &here) {
        return here.spawned != nullptr || detail::attach(here);
    }

    template <class F>
    [[gnu::noinline, gnu::cold]] void put_aside(F &&f) {
        detail::put_aside(new set_aside<F>(state_, std::forward<F>(f)));
    }

    // The task itself, on its own flow.
    template <class G>
    static void call(G &f, detail::group_task &self) {
        SG_TRY {
            f();
        }
        SG_CATCH_ALL {
            detail::end_task(self, true);
            SG_RETHROW;
        }
        if (!self.is_over()) [[unlikely]]
            detail::end_task(self, false);
    }

    // The first function on the stack of a task that is a child of its flow's scope: of the
    // group's, or of that of a task of the group. Which group it is, the parent's flow knows until
    // it is published.
    template <class F, bool of_a_task>
    static stacks::context *begin(void *argument) {
        bool published = false;
        SG_TRY {
            const detail::spawn_deque &parent = detail::flow_that_runs();
            detail::group_task self(*(of_a_task
                                          ? static_cast<detail::group_state *>(parent.task->of)
                                          : detail::group_state::of_children(*parent.spawning)),
                                    parent.task, *parent.spawned);
            std::decay_t<F> f(
                std::forward<F>(*static_cast<std::remove_reference_t<F> *>(argument)));
            published = true;
            if (detail::publish_parent(&site_of<F>)) [[likely]]
                call(f, self);
        }
        SG_CATCH_ALL {
            if (!published)
                return detail::refuse_child();
            detail::fail_child();
        }
        return detail::end_child();
    }

    // The same for a task that counts, whose exception is the group's.
    template <class F>
    static stacks::context *begin_counted(void *argument) {
        const launch<F> from = *static_cast<launch<F> *>(argument);
        bool published = false;
        SG_TRY {
            const detail::spawn_deque &parent = detail::flow_that_runs();
            detail::group_task self(*from.of, parent.task, *parent.spawned);
            std::decay_t<F> f(std::forward<F>(*from.f));
            published = true;
            if (detail::publish_parent(&site_of<F>)) [[likely]]
                call(f, self);
        }
        SG_CATCH_ALL {
            detail::fail_task(*from.of);
        }
        detail::one_task_less(*from.of);
        return published ? detail::end_child() : nullptr;
    }

    // The same for one that was put aside.
    template <class F>
    static stacks::context *begin_aside(void *argument) {
        const bool runs = detail::publish_parent(&site_of<F>);
        detail::finish_aside(static_cast<detail::aside_task *>(argument), runs);
        return detail::end_child();
    }

    // In a flow that is neither the maker's nor a task's of this group.
    template <class F>
    [[gnu::noinline]] static void run_elsewhere(detail::spawn_deque &here, launch<F> beginning) {
        detail::group_state &group = *beginning.of;
        if (scope *const s = detail::adopt_task(group)) {
            s->start(here, &begin_counted<F>, &beginning);
            return;
        }
        detail::task_node *const before = here.task;
        SG_TRY {
            std::decay_t<F> f(std::forward<F>(*beginning.f));
            const detail::descend strand;
            detail::group_task self(group, before, here);
            if (!strand.cancelled())
                call(f, self);
        }
        SG_CATCH_ALL {
            detail::fail_task(group);
        }
        here.task = before;
        detail::one_task_less(group);
    }

    detail::group_state state_;
};

// Whether a group that the calling task belongs to, or a cancellable_scope around it, is cancelled.
inline bool is_current_task_group_canceling() {
    return detail::is_current_group_cancelled();
}

} // namespace saguaro
#endif
