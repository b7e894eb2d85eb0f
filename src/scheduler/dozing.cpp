// SPDX-License-Identifier: MIT
#include "scheduler/dozing.hpp"

#include "platform/thread.hpp"
#include "saguaro/detail/frame.h"

#include <mutex>
#include <system_error>
#include <utility>

unsigned sg_recording_dozes = 0;

namespace saguaro::scheduler {

dozing::~dozing() {
    // Relaxed: nothing else is told by it.
    over_.store(true, std::memory_order_relaxed);
    if (watcher_.joinable())
        watcher_.join();
}

bool dozing::begin(deque &d, sg_frame **slot) {
    if (!watcher_.joinable() && !start_to_watch())
        return false;
    {
        const std::lock_guard guard(lock_);
        ++number_;
        slot_ = slot;
        deque_ = &d;
        d.pass_above(slot);
    }
    // Relaxed: this thread reads it.
    __atomic_store_n(&sg_sleepers, 0, __ATOMIC_RELAXED);
    return true;
}

std::uint32_t dozing::end() {
    if (deque_ == nullptr)
        return std::exchange(calls_, 0) - std::exchange(sg_recording_dozes, 0);
    __atomic_store_n(&sg_sleepers, 1, __ATOMIC_RELAXED);
    const std::lock_guard guard(lock_);
    deque_->ask_again();
    deque_ = nullptr;
    return 0;
}

// False: there can be no more threads.
bool dozing::start_to_watch() {
    if (is_refused_)
        return false;
    const platform::signals_blocked none; // the program's handlers are not for this thread
    try {
        watcher_ = std::thread([this] { watch(); });
    } catch (const std::system_error &) {
        is_refused_ = true;
        return false;
    }
    platform::set_thread_name(watcher_, "saguaro/dozing");
    return true;
}

void dozing::watch() {
    const platform::punctual here;
    std::uint64_t seen = 0;
    while (!over_.load(std::memory_order_relaxed)) {
        std::this_thread::sleep_for(at_most_);
        const std::unique_lock guard(lock_, std::try_to_lock);
        if (!guard.owns_lock()) // one begins or ends
            continue;
        if (deque_ != nullptr && number_ == seen)
            deque_->ask_from_outside();
        seen = number_;
    }
}

} // namespace saguaro::scheduler
