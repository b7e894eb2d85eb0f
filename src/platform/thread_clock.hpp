// SPDX-License-Identifier: MIT
// The time for which one thread has had a processor, read as quickly as a clock of the wall's.
#pragma once

#include "platform/clock.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

namespace saguaro::platform {

// The time of this thread, from the system.
struct own_time {
    std::int64_t operator()() const { return thread_ns(); }
};

// Wall time, because that is quick to read, and the thread's own time where the system may have let
// others run meanwhile. That takes longer than `gap`, so between two readings that are closer
// nothing was lost. `Wall` and `Own` are functions of no arguments: nanoseconds.
template <class Wall, class Own = own_time>
class thread_clock {
public:
    constexpr explicit thread_clock(Wall wall = Wall(), Own own = Own())
        : wall_clock_(std::move(wall)), own_clock_(std::move(own)) {}

    // What was lost since the last reading is added to `lost`.
    std::int64_t read(std::int64_t &lost) {
        std::int64_t now = wall_clock_();
        if (now - last_ > gap) [[unlikely]]
            now = read_both(now, lost);
        last_ = now;
        return now;
    }

    // The same, at the beginning of what is to be measured.
    std::int64_t start() {
        std::int64_t lost = 0;
        read(lost);
        return lost == 0 ? last_ : last_ = wall_clock_();
    }

    // How long it is from one reading to the next when nothing else lies between: it is in each
    // time that two readings measure. The median: of a processor's counter one reading of 25 may
    // follow the one before at once, so that the least says nothing.
    std::int64_t usual_reading() {
        std::array<std::int64_t, 101> all;
        std::int64_t lost = 0;
        for (std::int64_t &each : all) {
            const std::int64_t begin = start();
            each = read(lost) - begin;
        }
        std::nth_element(all.begin(), all.begin() + all.size() / 2, all.end());
        return all[all.size() / 2];
    }

    // Before `start` on another thread: what it has lost is no other's.
    void change_threads() { last_ = 0; }

    static constexpr std::int64_t gap = 20'000; // ns

private:
    static constexpr int most_tries = 10;

    [[gnu::noinline]] std::int64_t read_both(std::int64_t now, std::int64_t &lost) {
        std::int64_t own = own_clock_();
        // Both at one moment: others may have run between the two readings as well.
        for (int i = 0; i < most_tries && wall_clock_() - now > gap / 4; ++i) {
            now = wall_clock_();
            own = own_clock_();
        }
        lost += (now - wall_) - (own - own_);
        wall_ = now;
        own_ = own;
        return now;
    }

    [[no_unique_address]] Wall wall_clock_;
    [[no_unique_address]] Own own_clock_;
    std::int64_t last_ = 0;
    // Both at the last reading that came late.
    std::int64_t wall_ = 0;
    std::int64_t own_ = 0;
};

} // namespace saguaro::platform
