// SPDX-License-Identifier: MIT
//
// phases: parallel work of a few microseconds, again and again, with a little serial work in
// between. All of a run's phases lie inside one call into the runtime. A phase of n µs has n leaves
// of 1 µs each, and forks them in one of three shapes:
//
//     tree    halves of halves, down to a leaf, by the runtime's invoke
//     loop    an iteration for each leaf, by its for_each
//     scope   one spawn after the other, then a wait for all, by its spawn_all
#pragma once

#include "driver/measure.hpp"
#include "runtimes/peer_main.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace saguaro::bench {

/// The phases of a run. Each is timed by itself; what is reported is their median.
inline constexpr long phases_in_a_run = 500;

/// What a program does between two phases, in leaves' work.
inline constexpr long leaves_between_phases = 10;

/// So many dependent multiplications, which no compiler shortens. They wait for each other, so that
/// a second thread of the same core costs them little.
inline void multiply(long times) {
    std::uint64_t state = 1;
    for (long i = 0; i < times; i++) {
        state = state * 0x9e3779b97f4a7c15U + 1;
        __asm__ __volatile__("" : "+r"(state));
    }
}

/// How many multiplications take 1 µs: by the fastest of many tries, since all that the machine
/// does beside makes them slower. Leaves are that many multiplications; none reads a clock.
inline long multiplications_in_a_microsecond() {
    constexpr long times = 30'000;
    constexpr int tries = 50;
    double fastest = std::numeric_limits<double>::max();
    for (int i = 0; i < tries; i++) {
        const auto start = std::chrono::steady_clock::now();
        multiply(times);
        const std::chrono::duration<double, std::micro> taken =
            std::chrono::steady_clock::now() - start;
        fastest = taken.count() < fastest ? taken.count() : fastest;
    }
    return static_cast<long>(static_cast<double>(times) / fastest);
}

/// The leaves of a phase. Each leaves the phase's number where the serial work between the phases
/// looks for it.
class phase_leaves {
public:
    explicit phase_leaves(long leaves) : marks(static_cast<std::size_t>(leaves)) {}

    long count() const { return static_cast<long>(marks.size()); }

    void begin(long phase) { current = phase; }

    void run(long leaf) {
        multiply(multiplications);
        marks[static_cast<std::size_t>(leaf)].phase = current;
    }

    /// The serial work after a phase. Throws wrong_answer if a leaf has not run.
    void end() const {
        for (const mark &one : marks)
            expect_equal(current, one.phase);
        multiply(leaves_between_phases * multiplications);
    }

private:
    // A cache line each: what two cores do to one line is not what is measured.
    struct alignas(64) mark {
        long phase = 0;
    };

    long multiplications = multiplications_in_a_microsecond();
    long current = 0;
    std::vector<mark> marks;
};

/// No runtime: one leaf after the other.
inline void leaves_in_turn(phase_leaves &leaves) {
    for (long i = 0; i < leaves.count(); i++)
        leaves.run(i);
}

template <typename runtime>
void halves_of_leaves(phase_leaves &leaves, long first, long last) {
    if (last - first == 1) {
        leaves.run(first);
        return;
    }
    const long middle = first + (last - first) / 2;
    runtime::invoke([&, first, middle] { halves_of_leaves<runtime>(leaves, first, middle); },
                    [&, middle, last] { halves_of_leaves<runtime>(leaves, middle, last); });
}

template <typename runtime>
void tree_of_leaves(phase_leaves &leaves) {
    halves_of_leaves<runtime>(leaves, 0, leaves.count());
}

template <typename runtime>
void loop_of_leaves(phase_leaves &leaves) {
    runtime::for_each(0, leaves.count(), [&](long i) { leaves.run(i); });
}

template <typename runtime>
void scope_of_leaves(phase_leaves &leaves) {
    runtime::spawn_all(leaves.count(), [&](long i) { leaves.run(i); });
}

/// The median of the phases' times, times their number.
template <typename runtime>
double measure_phases(long microseconds, int workers, void (*phase)(phase_leaves &)) {
    phase_leaves leaves(microseconds);
    std::vector<std::int64_t> times;
    times.reserve(phases_in_a_run);
    runtime::enter(workers, [&] {
        for (long i = 1; i <= phases_in_a_run; i++) {
            leaves.begin(i);
            const auto start = std::chrono::steady_clock::now();
            phase(leaves);
            times.push_back(
                std::chrono::nanoseconds(std::chrono::steady_clock::now() - start).count());
            leaves.end();
        }
    });
    return median_seconds(std::move(times));
}

// The variants of each runtime, by file.

std::vector<variant> phases_saguaro();   // saguaro.cpp
std::vector<variant> phases_tbb();       // tbb.cpp
std::vector<peer_entry> phases_openmp(); // openmp.cpp, in a program of its own

} // namespace saguaro::bench
