// SPDX-License-Identifier: MIT
// Recording a run: what the worker tells the recorder of the program's spawns.
//
// A recorded run has one worker, whose pops all ask, and which says that there is a sleeper, so
// that all pushes of C++ constructs wake one. Nothing is on a fast path. src/record/README.md shows
// how each construct is heard.
#pragma once

#include "record/recorder.hpp"
#include "saguaro/detail/stealable.hpp"
#include "scheduler/deque.hpp"
#include "scheduler/dozing.hpp"
#include "scheduler/settings.hpp"

#include <atomic>
#include <cstdint>
#include <string>
#include <utility>

namespace saguaro::detail {
struct scope_record;
}

namespace saguaro::scheduler {

// One worker, said once if more were asked for; throws bad_setting if the file cannot be made.
// Nothing happens where nothing is to be recorded. Before workers start, under the lock of that.
void prepare_recording(settings &s);

// From the start of the workers to their end. The functions are called by the worker's thread, if
// nothing else is said.
class recording {
public:
    // Throws std::system_error.
    explicit recording(const settings &s);
    ~recording();
    recording(const recording &) = delete;
    recording &operator=(const recording &) = delete;

    // The one that is under way; null: none. For strands, which it outlives. Other threads see only
    // whether there is one. Relaxed: pairs with the stores where workers start and stop; strands
    // run in between, by the runtime's own orders.
    static recording *now() { return now_.load(std::memory_order_relaxed); }
    // The one that hears of what the caller does: null outside of the workers. Any thread.
    static recording *of_this_strand();

    // Everything has ended: writes the file.
    void finish();

    // The process ends while a strand runs: what has not been written is lost. Any thread, under
    // the lock of starts and stops.
    void say_cut_off() const;

    // In the child of a fork: the file is the parent's. Nothing that it does is recorded.
    static void forget();

    // What tells this one from others of the process: from 1 on.
    unsigned number() const { return number_; }
    record::recorder &out() { return out_; }

    // A footprint, which is in no object.
    void miss_object() { has_unknown_ = true; }

    // A root on `first`, its stack's deque.
    void root_begins(const deque &first);
    void root_ends();

    // A frame of C++ or a parent has been pushed, or may have been: the flow that runs says which.
    // `site` is a parent's, from sg_wake_for.
    void pushed(const void *site);

    // The frame in `slot` of the flow that runs was popped. The closure's frame that was there, if
    // the caller is to run it now; else null.
    detail::closure_frame *popped(sg_frame **slot);
    // The parallel_invoke whose frame has this `taken` ends.
    void invocation_ends(const void *taken);

    // The owner of the loop whose frame is in `slot` has come to iteration `next`, which is below
    // `end`, and is to ask again at the returned one.
    std::uint64_t step(sg_frame **slot, std::uint64_t next, std::uint64_t end);

    // The child of `parent`, which was in this slot of the chain, has ended.
    void child_ends(deque &parent, deque **slot);
    void scope_syncs();
    void scope_ends(const detail::scope_record &s);

    // C functions that are compiled with -cilk-profile tell all; others are heard to spawn only.
    void function_begins() {
        listen();
        out_.begin_function();
    }
    void function_spawns(const void *site) {
        listen();
        out_.stamp();
        if (out_.begin_child(record::part::spawned, site, nullptr) && may_doze_)
            doze();
    }
    void function_returned() {
        out_.stamp();
        if (dozing_.is_on())
            stop_dozing();
        out_.end(record::part::spawned, nullptr);
        told_ = true;
    }
    // The silent clones have made the calls that they might. Whether they may make more.
    bool dozes_further() {
        const bool further = out_.may_doze_further();
        if (further)
            dozing_.extend();
        return further;
    }
    void function_syncs() {
        listen();
        out_.sync();
    }
    void function_ends() {
        listen();
        out_.end_function();
    }
    void spawn_is_heard() {
        listen();
        if (!std::exchange(told_, false))
            is_complete_ = false;
    }

    // Whether the pop of this slot asks only because a recording hears of each: the frame is there.
    static bool is_only_heard(const deque &d, sg_frame **slot);

private:
    static void stop();
    void push_frame(sg_frame *frame, sg_frame **slot);
    // Whether the child that begins is fine.
    bool push_closure(detail::closure_frame &frame, sg_frame **slot);
    bool push_parent(deque **slot, const void *site);
    void begin_second(const detail::closure_frame &frame, sg_frame **slot);
    void find_pushed();

    // Something is to be heard.
    void listen() {
        if (dozing_.is_on()) [[unlikely]]
            wake();
    }
    // The same where a slot has been popped, or an invocation ends: what dozes may end with that.
    void listen_behind(const void *what) {
        if (dozing_.is_end(what))
            dozing_.end();
        else
            listen();
    }
    void doze() {
        out_.doze();
        dozing_.begin();
    }
    // At the end of a C function's child.
    void stop_dozing() {
        dozing_.end();
        if (out_.has_dozed_much())
            out_.wake();
    }
    template <class Row, class Entry>
    void doze(Row &row, Entry **slot, const void *end) {
        if (may_doze_ && dozing_.begin(row, slot, end))
            out_.doze();
    }
    void wake();
    std::uint64_t begin_loop(sg_frame **slot, std::uint64_t first, std::uint64_t last);
    std::uint64_t halve(const void *loop, std::uint64_t first, std::uint64_t last,
                        std::uint64_t block);

    const std::string name_;
    record::recorder out_;
    dozing dozing_;
    const deque *flow_ = nullptr; // the deque of the flow that runs, as it is known here
    const unsigned number_;
    const bool may_doze_; // statistics count each pop
    bool has_roots_ = false;
    bool has_unknown_ = false;
    bool told_ = false;       // the next spawn that is heard was told of
    bool is_complete_ = true; // no C function spawned that was not

    // Written while nothing runs, at a task's exit, and in the child of a fork.
    static std::atomic<recording *> now_;
};

} // namespace saguaro::scheduler
