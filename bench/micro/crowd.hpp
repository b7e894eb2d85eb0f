// SPDX-License-Identifier: MIT
//
// crowd: what many workers cost that have next to nothing to do, on however few cores. Each run is
// a process of its own, whose memory is the run's.
//
//     seconds          from the beginning of a loop that is wide enough for all to the moment when
//                      each worker is in one of its iterations; before, all but one slept
//     start_ms         until start() has returned
//     stop_ms          until stop() has returned
//     cpu_at_rest      processors that the workers use while nothing runs: 1 is one core
//     cpu_in_run       the same while the only flow of a run sleeps
//     rss_mb           what the workers take of the memory before they have run anything,
//     peak_mb          and what they took at most,
//     reserved_mb      and of the address space
#pragma once

#include "driver/grid.hpp"
#include "driver/measure.hpp"
#include "driver/memory.hpp"
#include "micro/idle.hpp"

#include <saguaro/saguaro.hpp>

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

namespace saguaro::bench {

/// Workers that meet in a loop: each waits, asleep, until all of them are there.
class gathering {
public:
    explicit gathering(long workers) : expected(workers) {}

    /// From one iteration. Returns when all are there, or when it has taken too long.
    void arrive() {
        std::unique_lock guard(lock);
        if (arrived == expected || gone_wrong)
            return;
        if (++arrived == expected) {
            complete = std::chrono::steady_clock::now();
            changed.notify_all();
            return;
        }
        const auto all_there = [this] { return arrived == expected || gone_wrong; };
        if (!changed.wait_until(guard, deadline, all_there)) {
            gone_wrong = true;
            changed.notify_all();
        }
    }

    /// Nanoseconds from the construction until all were there. Throws wrong_answer if some never
    /// came.
    std::int64_t taken() const {
        if (gone_wrong) {
            throw wrong_answer(std::to_string(arrived) + " of " + std::to_string(expected) +
                               " workers came to a loop that had iterations for all");
        }
        return std::chrono::nanoseconds(complete - begun).count();
    }

private:
    static constexpr auto patience = std::chrono::seconds(20);

    const long expected;
    const std::chrono::steady_clock::time_point begun = std::chrono::steady_clock::now();
    const std::chrono::steady_clock::time_point deadline = begun + patience;
    std::mutex lock;
    std::condition_variable changed;
    long arrived = 0;
    bool gone_wrong = false;
    std::chrono::steady_clock::time_point complete;
};

/// Long enough for so many workers to find nothing, one after the other, and to fall asleep.
inline void let_all_sleep(long workers) {
    std::this_thread::sleep_for(before_idle + workers * std::chrono::microseconds(500));
}

/// The time until all workers have come to a loop, of the calling worker, while the others sleep.
inline std::int64_t wake_all(long workers) {
    let_all_sleep(workers);
    gathering all(workers);
    // More iterations than workers: thieves leave some behind wherever they take the upper half.
    saguaro::parallel_for(0L, 4 * workers, [&](long) { all.arrive(); });
    return all.taken();
}

inline double milliseconds_of(auto &&work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
        .count();
}

/// Processors in use while the caller sleeps, once all others do.
inline double cores_in_use(long workers) {
    constexpr long milliseconds = 500;
    let_all_sleep(workers);
    return measure_idle(milliseconds) / (1e-3 * milliseconds);
}

struct process_memory {
    static double of(const char *name) {
        return kilobytes_in("/proc/self/status", name) * 1024 / 1e6;
    }

    double resident = of("VmRSS:");
    double reserved = of("VmSize:");
};

inline outcome measure_crowd(long workers) {
    constexpr int wakes = 3;
    const process_memory before;
    saguaro::options chosen{};
    chosen.workers = static_cast<unsigned>(workers);
    const double start_ms = milliseconds_of([&] {
        try {
            saguaro::start(chosen);
        } catch (const std::system_error &refused) {
            throw unknown_to_peer("crowd of " + std::to_string(workers) + ": " + refused.what());
        }
    });
    const double at_rest = cores_in_use(workers);
    const process_memory started;
    double in_run = 0;
    std::vector<std::int64_t> times;
    saguaro::run([&] {
        in_run = cores_in_use(workers);
        for (int i = 0; i < wakes; i++)
            times.push_back(wake_all(workers));
    });
    const double stop_ms = milliseconds_of([] { saguaro::stop(); });
    outcome result = median_seconds(times) / wakes;
    result.uses = {{"start_ms", start_ms},
                   {"stop_ms", stop_ms},
                   {"cpu_at_rest", at_rest},
                   {"cpu_in_run", in_run},
                   {"rss_mb", started.resident - before.resident},
                   {"peak_mb", process_memory::of("VmHWM:") - before.resident},
                   {"reserved_mb", started.reserved - before.reserved}};
    return result;
}

} // namespace saguaro::bench
