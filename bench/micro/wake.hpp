// SPDX-License-Identifier: MIT
//
// wake: from a push to the first instruction of the stolen work, when the thief sleeps. The base is
// what the system itself takes for a thread that waits at a condition variable.
//
// Both are measured alike. The thread that wakes and the one that is woken are pinned, each to a
// processor of its own: left alone, the system may wake a thread on the processor whose caches are
// warm, or where it need not wake a processor first. The one sleeps in the kernel, as /proc has it,
// and has done so for 100 µs; the other computes, and spins until it sees the first one run.
#pragma once

#include "micro/steal.hpp"

#include <platform/cpus.hpp>
#include <platform/thread.hpp>

#include <condition_variable>
#include <fstream>
#include <latch>
#include <limits>
#include <mutex>
#include <sched.h>
#include <string>
#include <thread>
#include <unistd.h>

namespace saguaro::bench {

/// The processors of a thread that outlives the measurement, given back to it at the end.
class own_processors {
public:
    own_processors() { sched_getaffinity(0, sizeof mask, &mask); }
    ~own_processors() { sched_setaffinity(0, sizeof mask, &mask); }
    own_processors(const own_processors &) = delete;
    own_processors &operator=(const own_processors &) = delete;

private:
    cpu_set_t mask;
};

/// The two threads of a measurement. Made by a thread that may use all processors.
class pinned_pair {
public:
    /// The calling thread, as side 0 or 1.
    void pin(std::size_t side) {
        if (platform::pin_to_cpu(cpus[side % cpus.size()]))
            threads[side] = gettid();
    }

    /// Throws wrong_answer if a side could not be pinned.
    void expect_pinned() const {
        if (threads[0] == 0 || threads[1] == 0)
            throw wrong_answer("a thread that may use a processor could not be pinned to it");
    }

    /// Waits until the thread that does not call sleeps, and 100 µs more.
    void wait_for_the_other() const {
        const pid_t other = threads[threads[0] == gettid() ? 1 : 0];
        while (state_of(other) != 'S') {
        }
        for (int i = 0; i < 5; i++)
            busy_work();
    }

private:
    static char state_of(pid_t thread) {
        std::ifstream file("/proc/self/task/" + std::to_string(thread) + "/stat");
        // The name before the state may have spaces in it.
        file.ignore(std::numeric_limits<std::streamsize>::max(), ')');
        char state = '?';
        file >> state;
        return state;
    }

    const std::vector<int> cpus = platform::allowed_cpus();
    pid_t threads[2] = {};
};

/// The median of n wake-ups, times n. On one of two workers.
inline double measure_wake(pinned_pair &pair, long n) {
    pair.pin(0);
    be_robbed([] {}, [&pair] { pair.pin(1); });
    pair.expect_pinned();
    std::vector<std::int64_t> times;
    for (long i = 0; i < n; i++) {
        pair.wait_for_the_other();
        std::int64_t pushed = platform::now_ns();
        times.push_back(be_robbed([] {}) - pushed);
    }
    return median_seconds(std::move(times));
}

/// The same for a thread that waits at a condition variable.
class waiting_thread {
public:
    /// Pins both sides of the pair; the caller is the one that wakes.
    explicit waiting_thread(pinned_pair &pair)
        : thread([this, &pair] {
              pair.pin(1);
              pinned.count_down();
              answer();
          }) {
        pair.pin(0);
        pinned.wait();
    }
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
        while (woken.load(std::memory_order_relaxed) == 0)
            platform::cpu_relax();
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
            if (told == ends)
                return;
            woken.store(platform::now_ns(), std::memory_order_relaxed);
            told = nothing;
        }
    }

    std::latch pinned{1};
    std::mutex lock;
    std::condition_variable changed;
    order told = nothing;
    std::atomic<std::int64_t> woken{0};
    std::thread thread;
};

inline double measure_condition_variable(long n) {
    const own_processors given_back;
    pinned_pair pair;
    waiting_thread other(pair);
    pair.expect_pinned();
    std::vector<std::int64_t> times;
    for (long i = 0; i < n; i++) {
        pair.wait_for_the_other();
        times.push_back(other.wake());
    }
    return median_seconds(std::move(times));
}

} // namespace saguaro::bench
