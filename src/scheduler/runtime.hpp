// SPDX-License-Identifier: MIT
// The workers as a whole: starting, stopping, and the way in for threads that are none.
#pragma once

#include "hyperobjects/view_set.hpp"
#include "saguaro/saguaro.h"
#include "scheduler/frame_kind.hpp"
#include "scheduler/policy.hpp"
#include "scheduler/settings.hpp"
#include "scheduler/worker.hpp"
#include "stacks/overflow.hpp"

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

namespace saguaro::scheduler {

// A computation that a thread outside has handed in, on that thread's stack.
struct root {
    void (*function)(void *) = nullptr;
    void *argument = nullptr;
    detail::ancestor *heritage = nullptr; // the node of the thread that enters
    root *next = nullptr;
    hyperobjects::run run{};
    std::atomic<std::uint32_t> done{0}; // a futex for the thread that waits
};

class runtime {
public:
    // Starts the workers. Throws what the system's refusal of threads or memory throws; then no
    // worker is left running.
    runtime(const settings &chosen, std::unique_ptr<steal_policy> policy);

    // Ends the workers. No root may be under way.
    ~runtime();

    runtime(const runtime &) = delete;
    runtime &operator=(const runtime &) = delete;

    // Hands in `r`. It is done when r.done is not 0.
    void submit(root &r);

    // A root that nobody has begun, as a piece of work. False: there is none.
    bool take_root(work &out);

    unsigned size() const { return static_cast<unsigned>(workers_.size()); }
    worker &worker_at(unsigned i) { return *workers_[i]; }
    steal_policy &policy() { return *policy_; }
    stacks::pool &stacks() { return stacks_; }
    bool counts() const { return settings_.statistics; }
    bool asks_always() const { return asks_always_; }

    // What a worker takes a heavy fence to cost before it has paid one itself.
    std::uint64_t first_fence_ticks() const { return first_fence_ticks_; }
    std::int64_t spin_ns() const { return settings_.spin_ns; }

    // Relaxed: a worker that sees it late looks again after its nap.
    bool stopping() const { return stopping_.load(std::memory_order_relaxed); }

    // In the child of a fork that a worker of this runtime made: the others are gone.
    void leave_alone() { alone_ = true; }
    bool alone() const { return alone_; }

    // Whether a sleeper should rather stay awake: work in sight, or the end.
    bool anything_to_do(const worker &asking);

    // Whether any root is under way.
    bool anything_runs() const { return under_way_.load(std::memory_order_relaxed) != 0; }

    // The runtimes that a fork has left without threads, linked for whoever looks for leaks.
    runtime *left_behind = nullptr;

    // The sums of all workers' counters.
    sg_statistics statistics() const;

private:
    static void run_root(void *argument);
    void join_threads();

    const settings settings_;
    const bool asks_always_;
    const std::uint64_t first_fence_ticks_;
    std::unique_ptr<steal_policy> policy_;
    stacks::pool stacks_;
    const stacks::overflow_report overflow_report_;
    std::vector<std::unique_ptr<worker>> workers_;
    std::atomic<bool> stopping_{false};
    bool alone_ = false; // written where there is one thread
    std::atomic<unsigned> under_way_{0};

    std::mutex roots_lock_; // guards the queue
    root *first_ = nullptr;
    root **last_ = &first_;
    std::atomic<bool> any_root_{false}; // a hint: the queue is not empty
};

// The runtime that runs, started by the first call if none does; ends the program with one line if
// the environment's settings are not accepted or the system refuses. It stays while it is held.
class held_runtime {
public:
    held_runtime();
    ~held_runtime();
    held_runtime(const held_runtime &) = delete;
    held_runtime &operator=(const held_runtime &) = delete;

    runtime *operator->() const { return runtime_; }

private:
    runtime *runtime_;
};

// As sg_start with settings and a policy of the caller's: for tests.
int start_with(const settings &chosen, std::unique_ptr<steal_policy> policy);

// The runtime that runs, or null. For workers and tests; it may stop at any time otherwise.
runtime *running();

} // namespace saguaro::scheduler
