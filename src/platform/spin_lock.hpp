// SPDX-License-Identifier: MIT
// A lock for a few dozen instructions at a time.
#pragma once

#include "platform/arch.hpp"

#include <atomic>
#include <sched.h>

namespace saguaro::platform {

// Satisfies Lockable: use it with std::lock_guard. One byte, not fair, not recursive. Free: some
// 5 ns for the pair of calls. Never hold it across a system call or code of the user's.
class spin_lock {
public:
    void lock() {
        while (!try_lock())
            wait();
    }

    // Takes the lock if it is free. Reads first: a failed exchange would take the cache line away
    // from the holder for nothing.
    bool try_lock() {
        // Relaxed: only a hint, the exchange decides.
        if (held_.load(std::memory_order_relaxed))
            return false;
        // Acquire pairs with the release in `unlock`: what the last holder wrote is visible.
        return !held_.exchange(true, std::memory_order_acquire);
    }

    void unlock() {
        // Release pairs with the acquire in `try_lock`.
        held_.store(false, std::memory_order_release);
    }

    // Whether somebody holds the lock. Acquire: pairs with the release in `unlock`; if nobody does,
    // what the last holder wrote is visible.
    bool is_held() const { return held_.load(std::memory_order_acquire); }

private:
    // Spins while the lock looks held. With as many threads as processors, or more, the holder may
    // have been taken off its processor: then only giving up ours lets it go on.
    void wait() {
        // Relaxed: `try_lock` follows.
        for (int spins = 0; held_.load(std::memory_order_relaxed); ++spins)
            if (spins < spins_before_yield)
                cpu_relax();
            else
                sched_yield();
    }

    // About 3 µs of waiting: longer than any holder needs that is running.
    static constexpr int spins_before_yield = 100;

    std::atomic<bool> held_{false};
};

} // namespace saguaro::platform
