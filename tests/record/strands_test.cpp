// SPDX-License-Identifier: MIT
// Tests of the work that becomes of a recorder's moments, and of parts that become one strand.
#include "record/strands.hpp"

#include "record/recorder.hpp"
#include "support/recording.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <initializer_list>
#include <utility>

namespace saguaro::record {
namespace {

using test::busy;
using test::recorded;
using test::unit_ns;

constexpr std::int64_t us = 1000;

class made_of_moments : public test::recordings {
protected:
    // Of moments at so many units from the start. A grain of half a unit.
    recorded made_of(std::initializer_list<std::pair<step, int>> all, std::int64_t own = 0) const {
        strands made(path("moments"), unit_ns / 2, clock_);
        made.take_off(clock_.ticks_in(own) << strands::shift);
        for (const auto &[what, at] : all)
            hear(made, what, at * unit_ns);
        EXPECT_EQ(made.finish(), 0);
        return recorded(path("moments"));
    }

    void hear(strands &made, step what, std::int64_t ns) const {
        const moment m{what, clock_.ticks_in(ns)};
        made.hear(&m, &m + 1);
    }

    // A moment is a whole tick, which may be 40 ns.
    double rounding() const { return 10 + static_cast<double>(clock_.ns(8)); }

    // The counter's: a tick is no nanosecond.
    static tick_clock measured() {
        tick_clock::replace_by(nullptr);
        const tick_clock clock = tick_clock::measured();
        tick_clock::replace_by(&test::time);
        return clock;
    }

    const tick_clock clock_ = measured();
};

TEST_F(made_of_moments, work_is_between_them) {
    const recorded seen = made_of({{step::go_on, 1},
                                   {step::call, 1},
                                   {step::spawn, 2},
                                   {step::ret, 4},
                                   {step::sync, 7},
                                   {step::leave, 11},
                                   {step::stop, 11}});
    EXPECT_NEAR(static_cast<double>(seen.work), 10.0 * unit_ns, rounding());
    EXPECT_NEAR(static_cast<double>(seen.span), 8.0 * unit_ns, rounding());
}

// The recorder goes on as well after it has written what was noted, without a stop.
TEST_F(made_of_moments, work_is_not_before_it_goes_on) {
    const recorded seen = made_of({{step::go_on, 0},
                                   {step::call, 0},
                                   {step::spawn, 2},
                                   {step::go_on, 5},
                                   {step::ret, 6},
                                   {step::stop, 7},
                                   {step::leave, 9}});
    EXPECT_NEAR(static_cast<double>(seen.work), 4.0 * unit_ns, rounding());
}

TEST_F(made_of_moments, recorders_own_time_is_taken_off_each_strand) {
    const recorded seen = made_of({{step::go_on, 0},
                                   {step::call, 1}, // at one moment with what follows
                                   {step::spawn, 1},
                                   {step::ret, 2},
                                   {step::leave, 4},
                                   {step::stop, 4}},
                                  10 * us);
    EXPECT_NEAR(static_cast<double>(seen.work), 4.0 * unit_ns - 30 * us, rounding());
}

// The buffer has been written by then, and nothing of it can be taken back.
TEST_F(made_of_moments, short_frame_that_has_been_written_stays) {
    constexpr std::uint64_t spawns = 100'000;
    strands made(path("moments"), unit_ns, clock_);
    hear(made, step::go_on, 0);
    hear(made, step::call, 0);
    std::int64_t now = 0;
    for (std::uint64_t i = 0; i < spawns; ++i) {
        hear(made, step::spawn, ++now);
        hear(made, step::ret, ++now);
    }
    hear(made, step::leave, now);
    EXPECT_EQ(made.finish(), 0);
    const recorded seen(path("moments"));
    EXPECT_EQ(seen.spawns, spawns);
}

// Without a file nothing is left out, and children of a child's own syncs are told apart.
TEST_F(made_of_moments, span_is_measured_without_a_file) {
    strands made("", unit_ns, clock_);
    const auto near = [&](std::int64_t ns, int units) {
        EXPECT_NEAR(static_cast<double>(ns), units * static_cast<double>(unit_ns), rounding());
    };
    const auto at = [&](step what, int units) { hear(made, what, units * unit_ns); };
    at(step::go_on, 1);
    at(step::call, 1);
    at(step::spawn, 2); // from 1 to a child of 3, in which two of 1 are side by side
    at(step::call, 2);
    at(step::spawn, 2);
    at(step::ret, 3);
    at(step::spawn, 3);
    at(step::ret, 4);
    at(step::sync, 4);
    at(step::leave, 5);
    at(step::ret, 5);
    near(made.span(), 1);
    at(step::spawn, 6); // 1 later one of 4
    at(step::ret, 10);
    near(made.span(), 2);
    at(step::sync, 11); // the parent has worked for 3, the first child ended at 3, the other at 6
    near(made.span(), 6);
    at(step::leave, 12);
    at(step::stop, 12);
    near(made.work(), 11);
    near(made.span(), 7);
    EXPECT_EQ(made.finish(), 0);
}

// ---- C functions ----

class functions : public test::recordings {
protected:
    functions() { out_.begin_root(this); }

    void spawn(int units) {
        out_.time.stamp();
        out_.begin_child(part::spawned, nullptr, nullptr);
        out_.begin_function();
        busy(units);
        out_.end_function();
        out_.time.stamp();
        out_.end(part::spawned, nullptr);
    }

    recorded end() {
        out_.end_root();
        EXPECT_EQ(out_.finish(), 0);
        return recorded(path("functions"));
    }

    recorder out_{path("functions"), unit_ns / 2};
};

TEST_F(functions, frame_is_from_the_first_spawn_to_the_last_sync) {
    out_.begin_function();
    busy(1);
    spawn(2);
    busy(3);
    out_.sync();
    busy(4);
    out_.end_function();
    EXPECT_EQ(end().shape, "C(1C(S(2)3|)4)");
}

TEST_F(functions, frame_without_a_sync_waits_at_its_end) {
    out_.begin_function();
    spawn(2);
    busy(3);
    out_.end_function();
    busy(1);
    EXPECT_EQ(end().shape, "C(C(S(2)3)1)");
}

TEST_F(functions, one_that_does_not_spawn_is_no_frame) {
    out_.begin_function();
    busy(1);
    out_.begin_function();
    busy(1);
    out_.sync();
    out_.end_function();
    out_.end_function();
    EXPECT_EQ(end().shape, "C(2)");
}

// An abort leaves it without a word.
TEST_F(functions, one_that_does_not_end_ends_with_its_child) {
    out_.begin_function();
    out_.time.stamp();
    out_.begin_child(part::spawned, nullptr, nullptr);
    out_.begin_function();
    spawn(1);
    busy(1);
    out_.time.stamp();
    out_.end(part::spawned, nullptr);
    out_.end_function();
    EXPECT_EQ(end().shape, "C(C(S(C(S(1)1))))");
}

// More than the recorder notes before it looks at them.
TEST_F(made_of_moments, children_with_many_are_fine) {
    recorder r(path("fine"), 1000 * us);
    r.begin_root(this);
    int fine = 0;
    for (int i = 0; i < 20; ++i) {
        r.time.stamp();
        fine += r.begin_child(part::spawned, nullptr, nullptr) ? 1 : 0;
        for (int j = 0; j < 300; ++j) {
            r.time.stamp();
            r.begin_child(part::scope_child, nullptr, this);
            r.time.stamp();
            r.end(part::scope_child, this);
        }
        r.time.stamp();
        r.end(part::spawned, nullptr);
    }
    r.end_root();
    EXPECT_EQ(r.finish(), 0);
    EXPECT_GT(fine, 10);
}

} // namespace
} // namespace saguaro::record
