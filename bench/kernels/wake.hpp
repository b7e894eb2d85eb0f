// SPDX-License-Identifier: MIT
//
// wake: from a push to the first instruction of the stolen work, when the thief sleeps. The base is
// what the system itself takes for a thread that waits at a condition variable.
#pragma once

#include "steal.hpp"

#include <condition_variable>
#include <mutex>
#include <thread>

namespace saguaro::bench {

/// Waits until a worker sleeps, and a little more, so that it does so in the kernel.
inline void wait_for_a_sleeper() {
    // Relaxed: only a hint to begin the measurement.
    while (__atomic_load_n(&sg_sleepers, __ATOMIC_RELAXED) == 0) {
        platform::cpu_relax();
    }
    for (int i = 0; i < 5; i++) {
        busy_work();
    }
}

/// The median of n wake-ups, times n. On one of two workers.
inline double measure_wake(long n) {
    std::vector<std::int64_t> times;
    for (long i = 0; i < n; i++) {
        wait_for_a_sleeper();
        std::int64_t pushed = platform::now_ns();
        times.push_back(be_robbed([] {}) - pushed);
    }
    return median_seconds(std::move(times));
}

/// The same for a thread that waits at a condition variable.
class waiting_thread {
public:
    waiting_thread() : thread([this] { answer(); }) {}
    ~waiting_thread() {
        tell(ends);
        thread.join();
    }
    waiting_thread(const waiting_thread &) = delete;
    waiting_thread &operator=(const waiting_thread &) = delete;

    /// Nanoseconds from before the notification to when the thread runs.
    std::int64_t wake() {
        woken.store(0, std::memory_order_relaxed);
        std::int64_t before = platform::now_ns();
        tell(wanted);
        // Relaxed: a time is all that it carries.
        while (woken.load(std::memory_order_relaxed) == 0) {
            platform::cpu_relax();
        }
        return woken.load(std::memory_order_relaxed) - before;
    }

private:
    enum order { nothing, wanted, ends };

    void tell(order what) {
        {
            std::lock_guard guard(lock);
            told = what;
        }
        changed.notify_one();
    }

    void answer() {
        std::unique_lock guard(lock);
        for (;;) {
            changed.wait(guard, [this] { return told != nothing; });
            if (told == ends) {
                return;
            }
            woken.store(platform::now_ns(), std::memory_order_relaxed);
            told = nothing;
        }
    }

    std::mutex lock;
    std::condition_variable changed;
    order told = nothing;
    std::atomic<std::int64_t> woken{0};
    std::thread thread;
};

inline double measure_condition_variable(long n) {
    waiting_thread other;
    std::vector<std::int64_t> times;
    for (long i = 0; i < n; i++) {
        for (int k = 0; k < 5; k++) {
            busy_work();
        }
        times.push_back(other.wake());
    }
    return median_seconds(std::move(times));
}

} // namespace saguaro::bench
