// SPDX-License-Identifier: MIT
// Recording or measuring a run: what becomes of the spawns that the scheduler tells its observer
// of.
//
// README.md shows how each construct is heard.
#pragma once

#include "record/dozing.hpp"
#include "record/recorder.hpp"
#include "saguaro/detail/stealable.hpp"
#include "scheduler/deque.hpp"
#include "scheduler/observer.hpp"
#include "scheduler/settings.hpp"

#include <atomic>
#include <cstdint>
#include <string>
#include <utility>

namespace saguaro::record {

using scheduler::deque;
using scheduler::settings;
using scheduler::worker;

// For the scheduler's table. Its `prepare` asks for one worker, and says so once if more were asked
// for; it throws bad_setting if the file cannot be made. Nothing happens where nothing is to be
// recorded.
extern const scheduler::observer_kind recording_kind;
// The same without a file, for programs that were compiled with cilkc++ -cilk-profile: work and
// span are added to the totals of the profile.
extern const scheduler::observer_kind measuring_kind;

// Hears each construct of C++ and of C, and tells the recorder. While a child dozes, the recorder
// does not know what is open in it: `listen` comes before anything else is told.
class hearing : public scheduler::spawn_observer {
public:
    void frame_pushed(sg_frame **slot) override;
    detail::closure_frame *popped(sg_frame **slot) override;
    void invocation_ends(const void *taken) override;
    std::uint64_t loop_goes_on(sg_frame **slot, std::uint64_t next, std::uint64_t end) override;

    void parent_pushed(deque **slot, const detail::scope_record &s, bool is_new,
                       const void *site) override;
    void child_ends(deque &parent, deque **slot) override;
    void scope_syncs(const detail::scope_record &s) override;
    void scope_ends(const detail::scope_record &s) override;

    void function_begins() override {
        listen();
        out_.begin_function();
    }
    void function_spawns(const void *site) override {
        listen();
        out_.time.stamp();
        if (out_.begin_child(part::spawned, site, nullptr) && may_doze_) {
            out_.doze();
            dozing_.begin();
        }
    }
    void function_returned() override {
        out_.time.stamp();
        if (dozing_.is_on()) {
            dozing_.end();
            if (out_.has_dozed_much())
                out_.wake();
        }
        out_.end(part::spawned, nullptr);
        told_ = true;
    }
    void function_syncs() override {
        listen();
        out_.sync();
    }
    void function_ends() override {
        listen();
        out_.end_function();
    }
    void c_pop() override {
        listen();
        if (!std::exchange(told_, false))
            is_complete_ = false;
    }
    bool stays_silent() override {
        const bool further = out_.may_doze_further();
        if (further)
            dozing_.extend();
        return further;
    }

protected:
    explicit hearing(const settings &s);

    // Something is to be heard.
    void listen() {
        if (dozing_.is_on()) [[unlikely]]
            wake();
    }

    const std::string name_;
    const bool measures_; // there is no file
    recorder out_;
    const deque *flow_ = nullptr; // the deque of the flow that runs, as it is known here
    bool is_complete_ = true;     // no C function spawned that was not heard

private:
    // Whether the child that begins is fine.
    bool push_closure(detail::closure_frame &frame, sg_frame **slot);
    bool push_parent(deque **slot, const detail::scope_record &s, bool is_new, const void *site);
    void begin_second(const detail::closure_frame &frame, sg_frame **slot);
    void find_pushed();

    // `listen` where a slot has been popped, or an invocation ends: what dozes may end with that.
    void listen_behind(const void *what) {
        if (dozing_.is_end(what))
            dozing_.end();
        else
            listen();
    }
    template <class Row, class Entry>
    void doze(Row &row, Entry **slot, const void *end) {
        if (may_doze_ && dozing_.begin(row, slot, end))
            out_.doze();
    }
    void wake();

    dozing dozing_;
    const bool may_doze_; // statistics count each pop
    bool told_ = false;   // the next spawn that is heard was told of
};

// The observer, from the start of the workers to their end. The functions are called by the
// worker's thread, if nothing else is said.
class recording final : public hearing {
public:
    // If no file is asked for, it measures. Throws std::system_error.
    explicit recording(const settings &s);
    ~recording() override;

    // The one that is under way, with a file; null: none. For strands, which it outlives. Other
    // threads see only whether there is one. Relaxed: pairs with the stores where workers start and
    // stop; strands run in between, by the runtime's own orders.
    static recording *now() { return now_.load(std::memory_order_relaxed); }
    // The one that hears of what the caller does: null outside of the workers. Any thread.
    static recording *of_this_strand();

    // If the strand that runs is not this thread's, what has not been written is lost. Any thread,
    // under the lock of starts and stops.
    void process_ends(bool here) override;

    // In the child of a fork: the file is the parent's. Nothing that it does is recorded.
    static void forget();

    // What tells this one from others of the process: from 1 on.
    unsigned number() const { return number_; }
    recorder &out() { return out_; }

    // A footprint, which is in no object.
    void miss_object() { has_unknown_ = true; }

    scheduler::profile_totals measured() override;

    void root_begins(const worker &w, const deque &first) override;
    void root_ends(const worker &w) override;

private:
    void finish();

    const scheduler::profile_totals before_ = scheduler::totals_of_profile();
    const unsigned number_;
    bool is_under_way_ = true;
    bool has_roots_ = false;
    bool has_unknown_ = false;

    // Written while nothing runs, at a task's exit, and in the child of a fork.
    static std::atomic<recording *> now_;
};

} // namespace saguaro::record
