// SPDX-License-Identifier: MIT
// Threads of the runtime's that take the place of those which wait in a blocking scope, and the one
// that begins what threads outside have left to a runtime with one worker.
#pragma once

#include "platform/cpu_mask.hpp"
#include "saguaro/detail/frame.h"
#include "scheduler/seats.hpp"

#include <atomic>
#include <mutex>
#include <thread>

namespace saguaro::scheduler {

class runtime;
struct worker;

// One is made when more threads wait than there are stand-ins. They stay until the runtime ends,
// and sleep and wake as the runtime's other threads do. README.md, "Blocking scopes".
class stand_ins {
public:
    // More threads than these may wait, and their processors stay idle. Less in tests.
    unsigned most = 256;

    // On the thread that starts the runtime: they may use the processors that it may.
    explicit stand_ins(runtime &rt);
    ~stand_ins();
    stand_ins(const stand_ins &) = delete;
    stand_ins &operator=(const stand_ins &) = delete;

    // The flow that runs on `w`, the calling worker, waits for something outside; and no longer. No
    // stand-in is made for it if there are `enough`.
    void begin_blocking(worker &w, unsigned enough);
    void end_blocking(worker &w);

    // Sees to it that the runtime has a thread of its own, for roots with which no thread enters.
    // With one worker the first call makes it: the helper. Any thread that holds the runtime.
    // False: the system refuses a thread or memory, or there may be none.
    bool has_thread();

    // Whether the runtime has had any. No root is under way.
    bool any_was_made() const { return first_.load(std::memory_order_relaxed) != nullptr; }

    // Waits for their ends. No thread is in a blocking scope, and all have been told.
    void join_threads();

private:
    struct stand_in {
        participant me;
        std::thread thread;
        stand_in *next = nullptr;
    };

    bool make_one(worker *seat);
    bool make_helper();
    void run(stand_in &self);

    runtime &rt_;
    const platform::cpu_mask processors_;
    std::atomic<stand_in *> first_{nullptr};
    std::mutex making_helper_; // no caller counts on one that another cannot make
    std::atomic<bool> has_helper_{false};
};

// While it lives, the calling task waits for a run of nano-threads or an instance of VMS that it
// has started. The runtime's threads may use its processor; nobody stands in for it. Nothing
// elsewhere, and in a blocking scope. blocking.md says why.
class task_waits {
public:
    task_waits();
    ~task_waits();
    task_waits(const task_waits &) = delete;
    task_waits &operator=(const task_waits &) = delete;

private:
    worker *const who_; // null: nothing
};

// What the slot looks like in which a flow in a blocking scope would push next: full. Thus it asks
// for a free one first, and is refused.
extern sg_frame *slot_of_blocked;

// Ends the process with one line if the calling worker's flow is in a blocking scope.
void refuse_if_blocking(const worker &w);

// A flow in a blocking scope is about to push.
[[noreturn]] void refuse_push();

// The flow that ran on `w` has ended.
void check_that_scopes_ended(const worker &w);

} // namespace saguaro::scheduler
