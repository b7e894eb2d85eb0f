// SPDX-License-Identifier: MIT
// The measurement of a grid: settings, rounds and rows.
#pragma once

#include "driver/ceiling.hpp"
#include "driver/grid.hpp"

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace saguaro::bench {

/// What is run, and how often.
struct settings {
    /// The greater worker count of parallel variants; the other is 1. At least 1.
    int workers;
    /// Rounds: each gives one sample of each measurement. At least 1.
    int repeat;
    /// Replaces the kernels' own sizes.
    std::optional<long> n;
    /// What tells whether the machine has changed its speed: seconds of the same work each time.
    std::function<double()> control = control_seconds;
};

/// Whether the machine was the same in all rounds.
struct machine_state {
    /// The seconds of the control before the first round and after each.
    std::vector<double> control;
    /// The rounds, from 1, beside which the control was more than 10 % away from its median.
    std::vector<std::size_t> marked;
};

/// One cell of the grid, measured.
struct row {
    std::string bench;
    std::string variant;
    int workers;
    long n;
    /// The median of the samples, but for the rounds that are marked, unless all are.
    double seconds;
    /// seconds by the base's seconds at the same n, with as many workers if the base is parallel.
    double ratio;
    /// Nanoseconds for one operation, all workers together; empty where that means nothing.
    std::optional<double> ns_per_op;
    /// In the order in which they were taken.
    std::vector<double> samples;
    /// What the seconds went to: the median of each part. Empty for most.
    std::vector<std::pair<std::string, double>> parts;
    /// What the runs used beside time: the median of each. Empty for most.
    std::vector<std::pair<std::string, double>> uses;
    /// seconds by those of the machine's ceiling for as many workers; empty without a ceiling.
    std::optional<double> of_ceiling;
    /// What is known of the machine meanwhile, in the ceiling's row alone; empty in others.
    std::optional<machine_state> machine;
};

/// Measures all variants of a kernel at one size, in turn, round by round, so that noise of the
/// machine hits all alike. Each round has an order of its own, the same in each run. Beside a
/// ceiling the control runs before and after each round, and what is reported are medians of the
/// rounds in which the machine kept its speed. A peer that does not know the kernel gets a note on
/// stderr and no rows. While running, a line on stderr says where it is, if stderr is a terminal.
/// Throws std::runtime_error, naming the measurement, when an answer is wrong or a peer fails.
std::vector<row> run_rounds(const kernel &bench, long n, const std::vector<variant> &variants,
                            const settings &how);

/// The sizes at which the kernel runs.
std::vector<long> sizes_of(const kernel &bench, const settings &how);

} // namespace saguaro::bench
