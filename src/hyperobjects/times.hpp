// SPDX-License-Identifier: MIT
// The time that reducers take besides lookups, measured while statistics are on.
//
// Views are made and put in their places in less time than a clock takes to be read. So the
// processor's counter is read instead, for one view of `views_a_sample`, and what its readings
// themselves took is subtracted. Still, a reading of 24 ns (a virtual machine) was seen around 5 ns
// of work: creation and insertion compare with one another, but not to the nanosecond.
#pragma once

#include "platform/arch.hpp"

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
class lap_timer {
public:
    explicit lap_timer(bool on, std::uint64_t weight = 1)
        : on_(on), weight_(weight), since_(on ? platform::ticks() : 0) {}

    void charge(account &to) {
        if (!on_) [[likely]]
            return;
        const std::uint64_t now = platform::ticks();
        to.ticks += weight_ * (now - since_);
        to.laps += weight_;
        since_ = now;
    }

private:
    const bool on_;
    const std::uint64_t weight_;
    std::uint64_t since_;
};

// To be called before the first lap: finds out what a reading costs, and when the measuring of the
// counter's rate began. Some microseconds, the first time.
void prepare_times();

// The seconds of an account, without those of the readings; not less than 0. The longer the process
// has run since prepare_times, the better the rate is known: to 1 % after some 10 µs.
double seconds_of(const account &time);

} // namespace saguaro::hyperobjects
