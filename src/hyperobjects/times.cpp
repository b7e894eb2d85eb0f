// SPDX-License-Identifier: MIT
// Converting the ticks of sampled view operations to seconds.
#include "hyperobjects/times.hpp"

#include "platform/clock.hpp"

#include <algorithm>
#include <array>

namespace saguaro::hyperobjects {

namespace {

struct origin {
    std::uint64_t ticks;
    std::int64_t ns;
    std::uint64_t reading; // ticks between two readings, one directly after the other: the median
};

origin find_origin() {
    std::array<std::uint64_t, 101> readings;
    for (std::uint64_t &one : readings) {
        const std::uint64_t before = platform::ticks();
        one = platform::ticks() - before;
    }
    const auto middle = readings.begin() + readings.size() / 2;
    std::nth_element(readings.begin(), middle, readings.end());
    return {platform::ticks(), platform::now_ns(), *middle};
}

const origin &the_origin() {
    static const origin found = find_origin();
    return found;
}

} // namespace

void prepare_times() {
    the_origin();
}

double seconds_of(const account &time) {
    const origin &from = the_origin();
    const std::uint64_t readings = time.laps * from.reading;
    if (time.ticks <= readings)
        return 0;
    const auto elapsed_ticks = static_cast<double>(platform::ticks() - from.ticks);
    const auto elapsed_ns = static_cast<double>(platform::now_ns() - from.ns);
    return 1e-9 * static_cast<double>(time.ticks - readings) * elapsed_ns / elapsed_ticks;
}

} // namespace saguaro::hyperobjects
