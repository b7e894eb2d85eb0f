// SPDX-License-Identifier: MIT
// The origin by which this process converts the ticks of view operations to seconds.
#include "hyperobjects/times.hpp"

namespace saguaro::hyperobjects {

namespace {

const time_origin &the_origin() {
    static const time_origin found = time_origin::found_by(platform::machine_clocks{});
    return found;
}

} // namespace

void prepare_times() {
    the_origin();
}

double seconds_of(const account &time) {
    const time_origin &from = the_origin();
    return from.seconds(time, platform::both_clocks::read());
}

} // namespace saguaro::hyperobjects
