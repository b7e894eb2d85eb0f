// SPDX-License-Identifier: MIT
// What makes a recorded run as fast as others while nobody need hear of its spawns, and what wakes
// the recording up if that takes too long. src/record/README.md, "Dozing", has the whole.
#pragma once

#include "platform/spin_lock.hpp"
#include "saguaro/detail/cilk_profile.h"
#include "scheduler/deque.hpp"
#include "scheduler/worker.hpp"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <thread>
#include <variant>

namespace saguaro::record {

using scheduler::chain;
using scheduler::deque;

class dozing {
public:
    // In C++ nothing dozes for longer than about twice the time `at_most`.
    explicit dozing(std::chrono::nanoseconds at_most) : at_most_(at_most) {}
    ~dozing();
    dozing(const dozing &) = delete;
    dozing &operator=(const dozing &) = delete;

    // The functions below are called by the one worker's thread.

    bool is_on() const { return end_ != nullptr || calls_ != 0; }

    // In a child of a C function: silent clones run, until they have spawned some times.
    void begin() { sg_recording_dozes = calls_ = 4; }
    // They may go on: until they have spawned twice as often in all. So the calls that look at the
    // clock are few, and if all spawns are alike, it ends after twice the time.
    void extend() {
        sg_recording_dozes = calls_;
        calls_ *= 2;
    }

    // In a function of a parallel_invoke, whose frames have `slot` of this deque and those above,
    // or in a scope's child, whose own children's parents have `slot` of the chain and those above:
    // pops of these do not ask from now on, nor are pushes heard. `end` is what it ends with.
    // False: there can be no thread that watches, so nothing may doze.
    bool begin(deque &d, sg_frame **slot, const void *end) { return begin_in(d, slot, end); }
    bool begin(chain &c, deque **slot, const void *end) { return begin_in(c, slot, end); }

    // Whether it ends with this.
    bool is_end(const void *what) const { return what == end_; }

    // The first slot that may have what it pushes, in the row that this is in: a deque or the
    // chain; null in the other.
    sg_frame **in_deque() const { return slot_in<deque>(); }
    deque **in_chain() const { return slot_in<chain>(); }

    // All is heard again.
    void end();

private:
    template <class Row>
    bool begin_in(Row &row, typename Row::slot slot, const void *end);
    template <class Row>
    typename Row::slot slot_in() const {
        return std::holds_alternative<Row *>(row_) ? static_cast<typename Row::slot>(slot_)
                                                   : nullptr;
    }
    bool start_to_watch();
    void rouse();
    void watch();

    const std::chrono::nanoseconds at_most_;
    const void *end_ = nullptr; // null: nothing of C++ dozes
    void *slot_ = nullptr;
    std::uint32_t calls_ = 0;
    // The watcher may write the `exc` of `row_` while this is held, and that of no other.
    platform::spin_lock lock_;
    // The slot's; nothing if nothing dozes. Under the lock; the worker's thread writes it.
    std::variant<std::monostate, deque *, chain *> row_;
    std::uint64_t number_ = 0; // of times that anything dozed; the same
    bool is_refused_ = false;
    bool over_ = false; // under the lock
    // Whether the watcher sleeps until something dozes. It falls asleep under the lock; who rouses
    // it has held the lock since.
    std::atomic<bool> sleeps_{false};
    std::thread watcher_;
};

} // namespace saguaro::record
