// SPDX-License-Identifier: MIT
//
// idle: the processor time that workers use while they find nothing, beside a thread that never
// stops looking, which uses a core.
#pragma once

#include "driver/measure.hpp"

#include <chrono>
#include <ctime>
#include <thread>

namespace saguaro::bench {

/// Seconds of the processors that this process has used.
inline double processor_seconds() {
    timespec used{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    return static_cast<double>(used.tv_sec) + 1e-9 * static_cast<double>(used.tv_nsec);
}

/// How long a worker finds nothing before the measurement begins.
inline constexpr auto before_idle = std::chrono::milliseconds(10);

/// What the process uses in n milliseconds during which the caller sleeps, once the others have
/// found nothing for some time.
inline double measure_idle(long n) {
    std::this_thread::sleep_for(before_idle);
    double before = processor_seconds();
    std::this_thread::sleep_for(std::chrono::milliseconds(n));
    return processor_seconds() - before;
}

/// What one thread uses that has a core for n milliseconds: it spins until it has had them, however
/// many others want the core.
inline double measure_spinning(long n) {
    double before = processor_seconds();
    double used = 0;
    while (used < 1e-3 * static_cast<double>(n))
        used = processor_seconds() - before;
    return used;
}

} // namespace saguaro::bench
