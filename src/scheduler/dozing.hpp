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
    // Nothing dozes for longer than about twice the time `at_most`.
    explicit dozing(std::chrono::nanoseconds at_most) : at_most_(at_most) {}
    ~dozing();
    dozing(const dozing &) = delete;
    dozing &operator=(const dozing &) = delete;

    // The functions below are called by the one worker's thread.

    bool is_on() const { return deque_ != nullptr || calls_ != 0; }

    // In a child of a C function: silent clones run, for so many calls.
    void begin(std::uint32_t calls) { sg_recording_dozes = calls_ = calls; }

    // In the first function of a parallel_invoke whose frame is in `slot` of this deque: pops of
    // slots above it do not ask from now on, nor are pushes heard. False: there can be no thread
    // that watches, so nothing may doze.
    bool begin(deque &d, sg_frame **slot);

    // Whether this pop is the end of that child.
    bool is_end(const deque &d, sg_frame **slot) const { return &d == deque_ && slot == slot_; }

    // All is heard again. How many calls of silent clones there were.
    std::uint32_t end();

private:
    bool start_to_watch();
    void watch();

    const std::chrono::nanoseconds at_most_;
    sg_frame **slot_ = nullptr;
    std::uint32_t calls_ = 0;
    // The watcher may write the deque's `exc` while this is held, and that of no other.
    platform::spin_lock lock_;
    deque *deque_ = nullptr;   // under the lock; the worker's thread writes it
    std::uint64_t number_ = 0; // of times that anything dozed; the same
    bool is_refused_ = false;
    std::atomic<bool> over_{false};
    std::thread watcher_;
};

} // namespace saguaro::scheduler
