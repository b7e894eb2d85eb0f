// SPDX-License-Identifier: MIT
// The workers as a whole: their threads, starting and stopping, and a thread that enters.
#pragma once

#include "hyperobjects/view_set.hpp"
#include "platform/spin_lock.hpp"
#include "saguaro/saguaro.h"
#include "scheduler/callers.hpp"
#include "scheduler/fence_turns.hpp"
#include "scheduler/frame_kind.hpp"
#include "scheduler/isolation.hpp"
#include "scheduler/policy.hpp"
#include "scheduler/ready.hpp"
#include "scheduler/seats.hpp"
#include "scheduler/settings.hpp"
#include "scheduler/stand_ins.hpp"
#include "scheduler/worker.hpp"
#include "stacks/overflow.hpp"

#include <atomic>
#include <cstdint>
#include <exception>
#include <latch>
#include <memory>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace saguaro::scheduler {

// A computation that a thread has entered with, on that thread's stack.
struct root {
    void (*function)(void *) = nullptr;
    void *argument = nullptr;
    detail::ancestor *strand_node = nullptr; // the node of the thread that enters
    hyperobjects::run run{};
    bool begun = false; // its thread's
    participant thread; // over when it is done

    // Of a root inside another one, and of one in an arena; null: it is neither.
    nesting *nested = nullptr;
    const root *entered = nullptr;     // the one that a thread from outside has entered with
    sg_arena *home = nullptr;          // in which its thread has a place because of it
    detail::task_node *task = nullptr; // that the flow is in which has begun it
    hyperobjects::view_set views;      // that flow's, before it begins and after it has ended
};

// How many threads hold the runtime: those that have entered. Sequentially consistent. And how many
// ever did, modulo 2^32.
unsigned roots_under_way();
std::uint32_t roots_so_far();

class observer;
struct taker;

// The system starts no thread for the worker of this number, and so no more than so many workers.
class refused_thread : public std::system_error {
public:
    refused_thread(const std::system_error &why, unsigned number)
        : system_error(why.code(), "a thread"), workers(number) {}
    const unsigned workers;
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

    // Runs a new root, whose function and argument are set, and returns when it is done. The
    // calling thread is a worker meanwhile, and begins at once; it works for its own root only. It
    // holds the runtime. `alone`: nobody else did when it came. Ready work may name the root
    // before.
    void enter(root &r, bool alone);

    // The root of the thread that has entered on `w`, if nobody has begun it. False: there is none.
    bool take_root(worker &w, work &out);

    // Sees to it that `w`, on which a thread has entered with a root that nobody has begun, has a
    // stack for it: waits until others give one back, who do so when they look for work
    // (root_lacks_stack). Ends the program with one line if there is none for a second although no
    // flow is on any.
    void wait_for_stack(worker &w);

    // Whether somebody does. Relaxed: it waits and looks again for as long as it takes.
    bool root_lacks_stack() const { return lacks_stack_.load(std::memory_order_relaxed) != 0; }

    seats &seating() { return seats_; }
    class callers &callers() { return callers_; }

    // The workers that policies know. A thread that enters while others are inside has a further
    // one.
    unsigned size() const { return static_cast<unsigned>(workers_.size()); }
    worker &worker_at(unsigned i) { return *workers_[i]; }

    // Calls visit(worker &) for each worker there is, until it returns true; returns whether one
    // did.
    template <class Visit>
    bool any_worker(Visit visit) const {
        for (const std::unique_ptr<worker> &w : workers_)
            if (visit(*w))
                return true;
        for (unsigned i = 0; i < callers_.others(); ++i)
            if (worker *const w = callers_.other_at(i); w != nullptr && visit(*w))
                return true;
        return false;
    }

    steal_policy &policy() { return *policy_; }
    stacks::pool &stacks() { return stacks_; }

    // Relaxed: a worker that sees it late looks again after its nap.
    bool stopping() const { return stopping_.load(std::memory_order_relaxed); }

    // In the child of a fork that a worker of this runtime made: the others are gone.
    void leave_alone() { alone_ = true; }
    bool alone() const { return alone_; }

    // Whether a thread that sleeps should rather get up: work in sight and a place for it, or the
    // end. It has entered with `mine`; null: it is one of the runtime's.
    bool anything_to_do(const root *mine, const taker &who) const;

    // The threads of this runtime's that sleep without watching. Those that enter wake one if all
    // do.
    std::atomic<unsigned> deep_sleepers{0};

    // What is ready and in no deque.
    ready_list ready;

    const bool counts;      // statistics
    const bool asks_always; // at pops
    // What a worker takes a heavy fence to cost before it has paid one itself.
    const std::uint64_t first_fence_ticks;
    const std::int64_t spin_ns;

    // The nodes of the processors in the machine that the settings describe: worker i is thought on
    // the i-th, and beyond the last one on the first again. Empty: they describe none.
    const std::vector<int> thought_nodes;

    // Of the thieves of all roots.
    class fence_turns fence_turns;

    // Threads that take the place of those in blocking scopes.
    class stand_ins stand_ins;

    // Roots inside others, and in arenas.
    isolation isolated;

    // The runtimes that a fork has left without threads, linked for whoever looks for leaks.
    runtime *left_behind = nullptr;

    // The sums of all workers' counters.
    sg_statistics statistics() const;

    // Whether the end of the process may leave the workers as they are: none of the program's code
    // has run on their threads, so no destructor is to be called there. No root is under way.
    friend bool have_done_nothing(const runtime &rt);

private:
    void start_threads(const std::vector<int> &cpus);
    bool build_worker(unsigned number) noexcept;
    void open_seats(int first_cpu); // of the workers that are built
    void run_thread(unsigned number, int cpu);
    void join_threads();
    void call_for_help(worker &w);
    void tidy_up(worker &w);

    const settings settings_;
    std::unique_ptr<steal_policy> policy_;
    std::unique_ptr<observer> observer_;
    stacks::pool stacks_;
    const stacks::overflow_report overflow_report_;
    std::vector<std::unique_ptr<worker>> workers_;
    std::vector<std::thread> threads_;      // of all workers but the first
    std::vector<participant> participants_; // these threads
    class callers callers_;
    seats seats_;
    platform::spin_lock refused_lock_;
    std::exception_ptr refused_; // why a worker could not be built; kept without memory of its own
    std::latch built_;           // the workers, or could not be; where each thread builds its own
    const bool threads_build_;   // each its worker; else the one that starts them builds all
    std::atomic<std::uint32_t> verdict_{0}; // whether their threads begin, or end; a futex
    std::latch through_;                    // the threads: nothing is left to do
    std::mutex observed_;   // held by the only thread inside while spawns are observed
    std::mutex next_stack_; // whose holder gets the next stack for its root
    std::atomic<unsigned> lacks_stack_{0}; // the threads in wait_for_stack
    std::atomic<bool> stopping_{false};
    bool alone_ = false; // written where there is one thread
};

bool have_done_nothing(const runtime &rt);

// Where threads of the runtime's sleep while a root is under way, one of them watches: called by a
// thread that has stopped to watch, or never did, and works from now on.
void see_to_watch(runtime &rt);

// Whether threads steal, in a runtime of so many workers. With one worker what runs keeps its
// serial order, in a program whose tasks do not wait in blocking scopes.
inline bool is_shared(unsigned workers, const seats &seating) {
    return workers > 1 || seating.stand_ins.any_for_waits();
}

// Called by a runtime's own thread, which does nothing for it any more: what is called now are
// destructors of the program's thread_local objects.
void note_that_thread_ends();
bool this_thread_ends();

// How many forks lie between the process that has loaded the library and this one.
unsigned forks_so_far();

// The runtime that runs, started by the first call if none does; ends the program with one line if
// the environment's settings are not accepted or the system refuses. It stays while it is held. A
// thread that ends gets a runtime of its own, with one worker: the one that it belonged to is over,
// and the next one waits until that has ended.
class held_runtime {
public:
    held_runtime();
    ~held_runtime();
    held_runtime(const held_runtime &) = delete;
    held_runtime &operator=(const held_runtime &) = delete;

    runtime *operator->() const { return runtime_; }

    // Whether nobody else held any when this one came.
    bool is_alone() const { return is_alone_; }

private:
    runtime *runtime_;
    std::unique_ptr<runtime> own_;
    bool is_alone_ = false;
};

// Holds the runtime for a root of the runtime's own, with which no thread enters.
class threadless_hold : public held_runtime {
public:
    // Whether the runtime has a thread that begins it. Not for a thread that ends, whose runtime
    // ends with the hold.
    bool has_thread() { return (*this)->stand_ins.has_thread(); }

    // Its root is about to be pushed; and has begun, or was taken off the list.
    void waits_for_thread() { (*this)->seating().count_threadless(0, 1); }
    void waits_no_more() { (*this)->seating().count_threadless(0, -1); }

    threadless_hold() { (*this)->seating().count_threadless(1, 0); }
    ~threadless_hold() { (*this)->seating().count_threadless(-1, 0); }
};

// As sg_start with settings and a policy of the caller's: for tests.
int start_with(const settings &chosen, std::unique_ptr<steal_policy> policy);

// The same for the options of sg_start, which may be null, on top of the environment. A null policy
// is the one that they name. EINVAL, and a line that names `function`, if one is out of range.
int start_with(const char *function, const sg_options *options,
               std::unique_ptr<steal_policy> policy);

// The runtime that runs, or null. For workers and tests; it may stop at any time otherwise.
runtime *running();

} // namespace saguaro::scheduler
