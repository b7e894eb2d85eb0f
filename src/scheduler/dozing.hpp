// SPDX-License-Identifier: MIT
// What makes a recorded run as fast as others while nobody need hear of its spawns, and what wakes
// the recording up if that takes too long. src/record/README.md, "Dozing", has the whole.
#pragma once

#include "platform/spin_lock.hpp"
#include "saguaro/detail/cilk_profile.h"
#include "scheduler/deque.hpp"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <thread>

namespace saguaro::scheduler {

class dozing {
public:
    // In C++ nothing dozes for longer than about twice the time `at_most`.
    explicit dozing(std::chrono::nanoseconds at_most) : at_most_(at_most) {}
    ~dozing();
    dozing(const dozing &) = delete;
    dozing &operator=(const dozing &) = delete;

    // The functions below are called by the one worker's thread.

    bool is_on() const { return deque_ != nullptr || calls_ != 0; }

    // In a child of a C function: silent clones run, until they have spawned some times.
    void begin() { sg_recording_dozes = calls_ = 4; }
    // They may go on: until they have spawned four times as often in all. So the calls that look at
    // the clock are few, and if all spawns are alike, it ends after four times the time.
    void extend() {
        sg_recording_dozes = 3 * calls_;
        calls_ *= 4;
    }

    // In the first function of a parallel_invoke whose frame is in `slot` of this deque: pops of
    // slots above it do not ask from now on, nor are pushes heard. False: there can be no thread
    // that watches, so nothing may doze.
    bool begin(deque &d, sg_frame **slot);

    // Whether this pop is the end of that child.
    bool is_end(const deque &d, sg_frame **slot) const { return &d == deque_ && slot == slot_; }

    // All is heard again.
    void end();

private:
    bool start_to_watch();
    void rouse();
    void watch();

    const std::chrono::nanoseconds at_most_;
    sg_frame **slot_ = nullptr;
    std::uint32_t calls_ = 0;
    // The watcher may write the deque's `exc` while this is held, and that of no other.
    platform::spin_lock lock_;
    deque *deque_ = nullptr;   // under the lock; the worker's thread writes it
    std::uint64_t number_ = 0; // of times that anything dozed; the same
    bool is_refused_ = false;
    bool over_ = false; // under the lock
    // Whether the watcher sleeps until something dozes: written under the lock.
    std::atomic<bool> sleeps_{false};
    std::thread watcher_;
};

} // namespace saguaro::scheduler
