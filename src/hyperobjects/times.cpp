// SPDX-License-Identifier: MIT
// Converting the ticks of sampled view operations to seconds.
#include "hyperobjects/times.hpp"

#include "platform/both_clocks.hpp"

#include <algorithm>
#include <array>

namespace saguaro::hyperobjects {

namespace {

struct origin {
    platform::both_clocks begin;
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
    return {platform::both_clocks::read(), *middle};
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
    const auto now = platform::both_clocks::read();
    const auto elapsed_ticks = static_cast<double>(now.ticks - from.begin.ticks);
    const auto elapsed_ns = static_cast<double>(now.ns - from.begin.ns);
    return 1e-9 * static_cast<double>(time.ticks - readings) * elapsed_ns / elapsed_ticks;
}

} // namespace saguaro::hyperobjects
