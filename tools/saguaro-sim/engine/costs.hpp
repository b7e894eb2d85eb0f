// SPDX-License-Identifier: MIT
// The costs of the simulated machine's operations, in time.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace saguaro::sim {

// Times are in picoseconds: a spawn costs less than a nanosecond. 63 bits of them are 106 days.
using ps = std::int64_t;

inline constexpr ps a_nanosecond = 1000;

constexpr ps nanoseconds(double ns) {
    return static_cast<ps>(ns * a_nanosecond + 0.5);
}

// How a thief makes certain that its victim notices the steal (src/scheduler/README.md).
enum class steals {
    fence,  // every steal pays for a fence of all processors, as before there were public slots
    open,   // all slots are public: no steal needs a fence, and each pop asks
    request // the runtime's: slots become public on request, and the fence is the last resort
};

// In nanoseconds unless they say something else. What is called measured stands in
// docs/measurements.md, for two processors of an AMD EPYC; the rest is typical of servers.
struct costs {
    double spawn = 0.3;  // a push and a pop; measured: fib with and without its forks
    double ask = 7;      // a pop that takes the lock in vain; measured: 5 to 10
    double look = 60;    // one look at a victim in the own node: two lines of its memory
    double steal = 236;  // from a fork until a thief runs the continuation; measured
    double robbed = 30;  // what the victim of a steal loses; measured
    double fence = 5539; // a fence of all processors, for the thief that asks for it; measured
    double interrupted = 5539; // the same for each other worker that runs; measured
    double wake = 22300;       // from a wake-up until the thread looks for work; measured
    double waking = 1000;      // what a wake-up costs who wakes
    double spin = 100'000;     // how long a thief looks before it sleeps; the runtime's setting

    double line = 20; // what a line of the own node takes that misses: it is part of WORK
    double node_bandwidth = 100;            // GB/s of the memory of a node; 0 is without bound
    std::vector<double> link_bandwidth{40}; // GB/s of a link, from the innermost level outwards;
                                            // further levels have the last; 0 is without bound
    steals how = steals::request;
};

inline constexpr std::uint64_t line_bytes = 64;
inline constexpr std::uint64_t page_bytes = 4096;

} // namespace saguaro::sim
