// SPDX-License-Identifier: MIT
//
// vthread-cond and vthread-mutex: two threads, on one core or on two, of which one always waits for
// the other. Written once for any library of threads:
//
//     struct some_threads {
//         struct mutex, struct condition;
//         struct self;   // what a thread knows itself by
//         static void lock(mutex &, self), unlock(mutex &, self);
//         static void wait(condition &, mutex &, self), signal(condition &, self);
//         // first(self) on core 0 and second(self) on the last of `cores`; returns when both have.
//         static void run_two(int cores, const std::function<void(self)> &first,
//                             const std::function<void(self)> &second);
//     };
//
// Both are medians: whoever is preempted once would move a mean by milliseconds.
#pragma once

#include "driver/measure.hpp"
#include "platform/clock.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace saguaro::bench {

inline double median_of(std::vector<double> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

/// n round trips: each thread waits at its condition variable until the other has signalled it. The
/// clock is read once for some tens of them.
template <typename threads>
double measure_round_trips(long n, int cores) {
    constexpr long together = 50;
    typename threads::mutex mutex;
    typename threads::condition turned[2];
    int turn = 0;
    long seen[2] = {0, 0};
    std::vector<double> times;
    std::int64_t before = 0;
    const auto play = [&](int who, typename threads::self me) {
        threads::lock(mutex, me);
        for (long i = 0; i < n; i++) {
            while (turn != who)
                threads::wait(turned[who], mutex, me);
            if (who == 0 && i % together == 0) {
                const std::int64_t now = platform::now_ns();
                if (i > 0)
                    times.push_back(static_cast<double>(now - before) / together);
                before = now;
            }
            seen[who]++;
            turn = 1 - who;
            threads::signal(turned[1 - who], me);
        }
        threads::unlock(mutex, me);
    };
    threads::run_two(
        cores, [&](typename threads::self me) { play(0, me); },
        [&](typename threads::self me) { play(1, me); });
    expect_equal(n, seen[0]);
    expect_equal(n, seen[1]);
    if (times.empty())
        throw wrong_answer("too few round trips to take a time");
    return median_of(std::move(times)) * static_cast<double>(n) * 1e-9;
}

/// Three mutexes in a ring. Each of two threads holds one, locks the next, and gives the first one
/// back, for which the other waits.
template <typename threads>
class mutex_ring {
public:
    explicit mutex_ring(int cores) : cores_(cores) {}

    /// step(who, held, next, self) so often in each thread; it takes the one and gives back the
    /// other.
    template <typename step_type>
    void walk(long steps, step_type step) {
        const auto go = [&](int who, std::size_t held, typename threads::self me) {
            threads::lock(places[held].mutex, me);
            meet(me);
            for (long i = 0; i < steps; i++) {
                const std::size_t next = (held + 1) % 3;
                step(who, places[held], places[next], me);
                held = next;
            }
            threads::unlock(places[held].mutex, me);
        };
        threads::run_two(
            cores_, [&](typename threads::self me) { go(0, 0, me); },
            [&](typename threads::self me) { go(1, 2, me); });
    }

    struct place {
        typename threads::mutex mutex;
        std::int64_t given_back = 0;
    };

private:
    void meet(typename threads::self me) {
        threads::lock(beginning_, me);
        began_++;
        threads::signal(both_, me);
        while (began_ < 2)
            threads::wait(both_, beginning_, me);
        threads::unlock(beginning_, me);
    }

    place places[3];
    int cores_;
    int began_ = 0;
    typename threads::mutex beginning_;
    typename threads::condition both_;
};

/// n locks on one core: every one waits, because the other thread runs only when this one does not.
template <typename threads>
double measure_waits_on_one_core(long n) {
    constexpr long together = 50;
    mutex_ring<threads> ring(1);
    using place = typename mutex_ring<threads>::place;
    std::vector<double> times;
    std::int64_t before = 0;
    long steps = 0;
    ring.walk(n / 2, [&](int who, place &held, place &next, typename threads::self me) {
        if (who == 0 && steps++ % together == 0) {
            const std::int64_t now = platform::now_ns();
            times.push_back(static_cast<double>(now - before) / (2 * together));
            before = now;
        }
        threads::lock(next.mutex, me);
        threads::unlock(held.mutex, me);
    });
    times.erase(times.begin()); // of nothing
    return median_of(std::move(times)) * static_cast<double>(n) * 1e-9;
}

/// n locks on two cores, of a mutex that is given back when the thread waits already: from before
/// the unlock to when the one that waited has the mutex.
template <typename threads>
double measure_waits_on_two_cores(long n, int cores) {
    // While a thread holds two, long enough for the other to be asleep in the kernel.
    constexpr std::int64_t hold_ns = 20'000;
    mutex_ring<threads> ring(cores);
    using place = typename mutex_ring<threads>::place;
    std::vector<double> times[2];
    ring.walk(n / 2, [&](int who, place &held, place &next, typename threads::self me) {
        const std::int64_t asked = platform::now_ns();
        threads::lock(next.mutex, me);
        const std::int64_t got = platform::now_ns();
        if (next.given_back > asked)
            times[who].push_back(static_cast<double>(got - next.given_back));
        while (platform::now_ns() < got + hold_ns) {
        }
        held.given_back = platform::now_ns();
        threads::unlock(held.mutex, me);
    });
    times[0].insert(times[0].end(), times[1].begin(), times[1].end());
    if (times[0].size() < static_cast<std::size_t>(n) / 4)
        throw wrong_answer("most of the locks found the mutex free");
    return median_of(std::move(times[0])) * static_cast<double>(n) * 1e-9;
}

template <typename threads>
double measure_mutex_waits(long n, int cores) {
    return cores == 1 ? measure_waits_on_one_core<threads>(n)
                      : measure_waits_on_two_cores<threads>(n, cores);
}

} // namespace saguaro::bench
