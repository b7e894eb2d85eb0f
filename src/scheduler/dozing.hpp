// SPDX-License-Identifier: MIT
// What makes a recorded run as fast as others while nobody need hear of its spawns, and what wakes
// the recording up if that takes too long. src/record/README.md, "Dozing", has the whole.
#pragma once

#include "platform/spin_lock.hpp"
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

    bool is_on() const { return deque_ != nullptr; }

    // The child whose parent has `slot` of this deque: pops of slots above it do not ask from now
    // on, nor are pushes of C++ constructs heard, nor do functions tell that spawn, for so many
    // calls. False: there can be no thread that watches, so nothing may doze.
    bool begin(deque &d, sg_frame **slot, std::uint32_t calls);

    // Whether this pop is the end of that child.
    bool is_end(const deque &d, sg_frame **slot) const { return &d == deque_ && slot == slot_; }

    // All is heard again. How many calls there were.
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
