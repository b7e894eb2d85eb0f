// SPDX-License-Identifier: MIT
// Tests of which slots hold an entry from outside.
#include "scheduler/entry_slots.hpp"

#include <gtest/gtest.h>

#include <array>

namespace saguaro::scheduler {
namespace {

class slots_of_entries : public testing::Test {
protected:
    sg_frame **slot(std::size_t i) { return &slots_.at(i); }

    entry_slots entries;

private:
    std::array<sg_frame *, 64> slots_{};
};

TEST_F(slots_of_entries, the_highest_that_is_not_above) {
    EXPECT_EQ(entries.at_or_below(slot(63)), nullptr);
    entries.enter(slot(2));
    entries.enter(slot(5));
    EXPECT_EQ(entries.at_or_below(slot(1)), nullptr);
    EXPECT_EQ(entries.at_or_below(slot(2)), slot(2));
    EXPECT_EQ(entries.at_or_below(slot(4)), slot(2));
    EXPECT_EQ(entries.at_or_below(slot(5)), slot(5));
    EXPECT_EQ(entries.at_or_below(slot(63)), slot(5));
    entries.clear();
    EXPECT_EQ(entries.at_or_below(slot(63)), nullptr);
}

TEST_F(slots_of_entries, those_above_have_ended) {
    for (const std::size_t i : {2u, 5u, 9u})
        entries.enter(slot(i));
    entries.leave_above(slot(5));
    EXPECT_EQ(entries.at_or_below(slot(63)), slot(5)); // it may be there still
    entries.leave_above(slot(4));
    EXPECT_EQ(entries.at_or_below(slot(63)), slot(2));
    entries.enter(slot(9));
    entries.enter(slot(3));
    EXPECT_EQ(entries.at_or_below(slot(63)), slot(3));
    entries.enter(slot(3));
    entries.leave_above(slot(2));
    EXPECT_EQ(entries.at_or_below(slot(63)), slot(2));
}

// Too many to tell apart: from some slot on, each may have one.
TEST_F(slots_of_entries, errs_on_the_side_of_entries) {
    for (std::size_t i = 10; i < 60; i += 2)
        entries.enter(slot(i));
    EXPECT_EQ(entries.at_or_below(slot(9)), nullptr);
    EXPECT_EQ(entries.at_or_below(slot(11)), slot(10));
    EXPECT_EQ(entries.at_or_below(slot(61)), slot(61));
    entries.leave_above(slot(12));
    EXPECT_EQ(entries.at_or_below(slot(61)), slot(12));
}

} // namespace
} // namespace saguaro::scheduler
