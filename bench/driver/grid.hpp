// SPDX-License-Identifier: MIT
//
// The grid: kernels down, runtimes across.
//
//     kernel       a problem: its name on the command line, its sizes, what ratios refer to
//     variant      one kernel on one runtime: a function (n, workers) -> seconds
//     measurement  one cell of the grid at one size and worker count: its samples
//
//   registry.cpp   all benches: the kernels with their variants
//   peer.cpp       variants that are other programs
//   alone.cpp      variants that are this program once more
//   ceiling.cpp    what the machine allows
//   rounds.cpp     runs measurements in turn
//   report.cpp     table and JSON
//   main.cpp       the command line
//   measure.hpp    what a measurement is made of: the stopwatch, the verdict, no runtime
//
// The other folders of bench/ hold the kernels, and in runtimes/ what a kernel knows of each
// runtime.
//
// Google Benchmark was not taken: it runs each benchmark to its end before the next, in one
// process, and knows neither peers that are other programs nor ratios to a base in the same round.
#pragma once

#include <functional>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace saguaro::bench {

/// Fit for all sizes, where a greatest one is asked for.
inline constexpr long any_size = std::numeric_limits<long>::max();

/// A problem that every runtime solves at the same sizes.
struct kernel {
    std::string name;
    /// One line for --list.
    std::string meaning;
    /// The variant whose time is ratio 1. It runs at every size that any other variant runs at.
    std::string base;
    /// The sizes n, in the order of the table.
    std::vector<long> sizes;
    /// The greatest of the sizes for a program of which nothing is known but that it may be slow.
    long greatest_peer_size = any_size;
    /// The range of n that --n may ask for.
    long least_n = 1;
    long greatest_n;
    /// Whether runs with several workers make sense.
    bool parallel = true;
    /// How many operations a run of size n is, for ns_per_op; null where that means nothing.
    double (*operations)(long n) = nullptr;
};

/// What one run took.
struct outcome {
    // Not explicit: a variant without parts returns a number.
    outcome(double seconds_taken) : seconds(seconds_taken) {}

    double seconds;
    /// What it went to, by name, in the order of the table: the same names in each run. Seconds, or
    /// what README.md says of the bench. Empty for most.
    std::vector<std::pair<std::string, double>> parts;
    /// What the run used beside time, by name, in the order of the table: the same names in each
    /// run. Empty for most.
    std::vector<std::pair<std::string, double>> uses;
};

/// One kernel on one runtime.
struct variant {
    /// The kernel's name.
    std::string bench;
    /// The runtime's name; unique within a kernel.
    std::string name;
    /// Whether it takes a worker count; if not, `run` is always given 1.
    bool parallel;
    /// The greatest of the kernel's sizes that it runs at, others would take too long; any_size
    /// for no limit. Does not limit --n.
    long greatest_size;
    /// Solves the problem once; returns the seconds of the timed part, and their parts. Throws
    /// wrong_answer, peer_failure or unknown_to_peer, or whatever the runtime throws.
    std::function<outcome(long n, int workers)> run;
    /// Whether each run is to be a process of its own; built_in_variants() sees to it.
    bool alone = false;
    /// Whether it is the machine's ceiling (ceiling.hpp): runs with several workers only, and only
    /// beside others that do.
    bool ceiling = false;
};

/// A peer does not have this kernel: its measurements are left out.
struct unknown_to_peer : std::runtime_error {
    using runtime_error::runtime_error;
};

/// A peer ended otherwise than with a time.
struct peer_failure : std::runtime_error {
    using runtime_error::runtime_error;
};

/// All kernels, in the order of --list.
const std::vector<kernel> &kernels();

/// All variants built in; those of a kernel stand in the order of the table, its base first.
std::vector<variant> built_in_variants();

/// The variants of which each run is to be a process of its own, as they run in that process.
std::vector<variant> lone_variants();

} // namespace saguaro::bench
