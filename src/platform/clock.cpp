// SPDX-License-Identifier: MIT
// Reading the monotonic clock and the thread's processor-time clock.
#include "platform/clock.hpp"

#include <ctime>

namespace saguaro::platform {

namespace {

std::int64_t read(clockid_t clock) {
    timespec now{};
    clock_gettime(clock, &now);
    return static_cast<std::int64_t>(now.tv_sec) * 1'000'000'000 + now.tv_nsec;
}

} // namespace

std::int64_t now_ns() {
    return read(CLOCK_MONOTONIC);
}

std::int64_t thread_ns() {
    return read(CLOCK_THREAD_CPUTIME_ID);
}

} // namespace saguaro::platform
