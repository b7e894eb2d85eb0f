// SPDX-License-Identifier: MIT
// Timing a problem's solutions in several rounds.
#pragma once

#include <saguaro/saguaro.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <vector>

namespace saguaro::examples {

inline constexpr int exit_different = 1;
inline constexpr int exit_bad_input = 2;

/// The middle value; of an even number, the mean of the two in the middle. At least one value.
inline double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    const std::size_t half = values.size() / 2;
    return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

/// The seconds that solve() takes with so many workers; 0: without the runtime. The runtime is
/// started anew; that and the first entry, which wakes the workers up, are not what is measured.
template <class Solve>
double seconds_of(unsigned workers, Solve solve) {
    if (workers > 0) {
        start({.workers = workers});
        run([] {});
    }
    const auto begin = std::chrono::steady_clock::now();
    solve();
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
    if (workers > 0)
        stop();
    return taken.count();
}

} // namespace saguaro::examples
