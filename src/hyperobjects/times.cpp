// SPDX-License-Identifier: MIT
// The origin by which this process converts the ticks of view operations to seconds.
#include "hyperobjects/times.hpp"

#include "platform/forks.hpp"

namespace saguaro::hyperobjects {

namespace {

const time_origin &the_origin() {
    static constinit platform::made_once<time_origin> found;
    return found.get([] { return time_origin::found_by(platform::machine_clocks{}); });
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
