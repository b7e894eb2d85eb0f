// SPDX-License-Identifier: MIT
// A processor: a thread of the system that runs nano-threads one after the other.
//
// Its loop runs on the stack that the system gave the thread. It starts a nano-thread on a stack of
// the pool, or continues one where it was left; a nano-thread that cannot go on comes back to the
// loop of the processor that it is on now, which does what is to be done with it once nobody runs
// on its stack. With direct stack reuse a thread that ends does not come back: the next one that is
// ready and has not begun runs on the same stack, called by the same function.
#pragma once

#include "nanothreads/descriptors.hpp"
#include "nanothreads/parking.hpp"
#include "nanothreads/ready_queue.hpp"
#include "nanothreads/stack_supply.hpp"
#include "nanothreads/thread.hpp"
#include "stacks/context.hpp"

#include <cstdint>
#include <new>

namespace saguaro::nanothreads {

class runtime;

class alignas(64) processor {
public:
    processor(runtime &run, unsigned number);

    // Runs nano-threads until the run is over, `first` before any other unless it is null. In the
    // thread that belongs to it.
    void loop(thread *first);

    // A new thread that calls function(argument) and has no dependences. The caller sets its
    // successors: `successor` is not even null. Null without memory.
    thread *create(void (*function)(void *), void *argument);

    // Puts a thread that has become ready where it will run soonest, or last of all; wakes a
    // processor that is idle.
    void make_ready(thread &t) {
        ready.push_front(t);
        offer();
    }
    void make_ready_last(thread &t) {
        ready.push_back(t);
        offer();
    }

    // Takes `count` off what `t` waits for. Ends the program with a line if there are fewer.
    void satisfy(thread &t, std::uint32_t count);

    // Leaves the running thread `t` in that state. Returns when it goes on, perhaps on another
    // processor.
    void leave(thread &t, state in);

    // Lets the threads that are ready, if any, run before the running thread `t`: straight to the
    // first one if it has run before.
    void yield(thread &t);

    // After `taken` threads have come into the queue from where nobody sees them: wakes a processor
    // that is idle if others than the caller have something to do.
    void pass_on(std::size_t taken);

    const unsigned number;
    std::uint16_t number_of_run = 0; // runtime::set_number

    // Written by the processor's own thread, read when the run is over.
    std::uint64_t created = 0;
    std::uint64_t ended = 0;
    std::uint64_t steals = 0;
    std::uint64_t sleeps = 0;
    std::size_t dealt() const { return free_.dealt(); }

    // The stack that the loop switched to last. Only the processor's own thread reads it, also in a
    // signal handler.
    const stacks::stack *last_stack = nullptr;

    // The C++ runtime's record of the exceptions of this thread of the system, two words. Zeros
    // while the loop runs: they belong to the nano-thread, which may wait in a handler.
    void **exceptions = nullptr;

    // The rounding mode that nano-threads begin with: that of the caller of sg_nt_run. The thread
    // of the system has it while the loop runs.
    const std::uint64_t float_mode;

    // The thread that left here last, until the loop or the thread that went on has told others.
    thread *came_back = nullptr;

    ready_queue ready;
    parking &parked; // the run's

private:
    static stacks::context *run_on_stack(void *first);

    void offer();
    thread *next();
    bool find_more();
    bool steal();
    bool steal_from(processor &victim);
    void begin(thread &t);
    void resume(thread &t);
    thread *reuse_stack_for_next(stacks::stack &s);
    void place(thread &t, stacks::stack &s);
    void take_care_of_who_came_back();
    void finish(thread &t);
    void owe(thread &successor);
    void pay();
    void pay_before(const thread &next, bool is_fresh);

    runtime &run_;
    const design design_;
    const bool real_fences_;
    descriptor_cache free_;
    stack_supply stacks_;
    stacks::context loop_; // where a nano-thread that stops goes on

    // Why the thread that came back to the loop left; or the stack whose thread ended.
    state as_ = state::none;
    stacks::stack *dead_ = nullptr;

    // Threads that ended here, with this successor, which has not been told yet. It is told before
    // anything runs here that it does not depend on: it loses no time, and a million threads with
    // one successor cost no million atomic operations on it.
    thread *owed_to_ = nullptr;
    std::uint32_t owed_ = 0;

    std::uint32_t random_;
};

// The processor that the calling thread of the system is; null if it is none. Initial-exec: one
// load more than a constant, also in the shared library. For functions that do not `leave` between
// two uses, and that no function inlines which does.
[[gnu::tls_model("initial-exec")]] extern constinit thread_local processor *this_processor;

// The same after a `leave`, or a call of the user's function: never inlined, so that no compiler
// keeps the address of the variable, which is another on another thread.
processor *processor_after_leaving();

// While a nano-thread's thread works for a run of saguaro::run, it is no processor: see flows.hpp.
void *set_processor_aside();
void bring_processor_back(void *processor);

// Whether the calling thread is a processor, be it set aside.
bool is_in_a_run();

// Takes what has arrived from outside into the queue of `here`, the caller's, behind all that is
// ready. True: there was something.
bool look_outside(processor &here);

// After a thread was made ready: wakes a processor that is idle, if there is one.
inline void processor::offer() {
    near_fence(real_fences_);
    if (parked.any_idle()) [[unlikely]]
        parked.wake_one();
}

inline thread *processor::create(void (*function)(void *), void *argument) {
    thread *t;
    stacks::stack *on = nullptr;
    if (design_ == design::dos) [[unlikely]] {
        on = stacks_.take();
        t = on != nullptr ? static_cast<thread *>(on->extra()) : nullptr;
    } else {
        t = free_.take();
    }
    if (t == nullptr) [[unlikely]]
        return nullptr;
    ++created;
    return new (t) thread(function, argument, on, number_of_run);
}

} // namespace saguaro::nanothreads
