// SPDX-License-Identifier: MIT
// The time that reducers take besides lookups, measured while statistics are on.
//
// Views are made and put in their places in less time than a clock takes to be read. So the
// processor's counter is read instead, for one view of `views_a_sample`, and what its readings
// themselves took is subtracted. Still, a reading of 24 ns (a virtual machine) was seen around 5 ns
// of work: creation and insertion compare with one another, but not to the nanosecond.
#pragma once

#include "platform/arch.hpp"
#include "platform/both_clocks.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace saguaro::hyperobjects {

// Of how many views that are made the time of one is taken, and stands for all.
inline constexpr std::uint64_t views_a_sample = 64;

// The time of one activity. Counted by one thread without synchronization.
struct account {
    std::uint64_t ticks = 0;
    std::uint64_t laps = 0; // how many times it was charged

    void add(const account &other) {
        ticks += other.ticks;
        laps += other.laps;
    }
};

// Charges what follows one another to accounts, each lap from the end of the one before, as many
// times as `weight` says. Off, it costs a branch.
template <typename Clocks>
class lap_timer_by {
public:
    explicit lap_timer_by(bool on, std::uint64_t weight = 1, Clocks clocks = {})
        : clocks_(clocks), on_(on), weight_(weight), since_(on ? clocks_.ticks() : 0) {}

    void charge(account &to) {
        if (!on_) [[likely]]
            return;
        const std::uint64_t now = clocks_.ticks();
        to.ticks += weight_ * (now - since_);
        to.laps += weight_;
        since_ = now;
    }

private:
    [[no_unique_address]] Clocks clocks_;
    const bool on_;
    const std::uint64_t weight_;
    std::uint64_t since_;
};

using lap_timer = lap_timer_by<platform::machine_clocks>;

// What turns ticks into seconds: when the measuring of the counter's rate began, and what a reading
// costs.
struct time_origin {
    platform::both_clocks begin;
    std::uint64_t reading; // ticks between two readings, one directly after the other: the median

    template <typename Clocks>
    static time_origin found_by(Clocks &&clocks) {
        std::array<std::uint64_t, 101> readings;
        for (std::uint64_t &one : readings) {
            const std::uint64_t before = clocks.ticks();
            one = clocks.ticks() - before;
        }
        const auto middle = readings.begin() + readings.size() / 2;
        std::nth_element(readings.begin(), middle, readings.end());
        return {platform::both_clocks::read(clocks), *middle};
    }

    // The seconds of an account without those of its readings, not less than 0, at the rate from
    // the beginning until `now`.
    double seconds(const account &time, const platform::both_clocks &now) const {
        const std::uint64_t readings = time.laps * reading;
        if (time.ticks <= readings)
            return 0;
        const auto elapsed_ticks = static_cast<double>(now.ticks - begin.ticks);
        const auto elapsed_ns = static_cast<double>(now.ns - begin.ns);
        return 1e-9 * static_cast<double>(time.ticks - readings) * elapsed_ns / elapsed_ticks;
    }
};

// To be called before the first lap: finds the process's origin. Some microseconds, the first time.
void prepare_times();

// The seconds of an account from the process's origin until now. The longer the process has run
// since prepare_times, the better the rate is known: to 1 % after some 10 µs.
double seconds_of(const account &time);

} // namespace saguaro::hyperobjects
