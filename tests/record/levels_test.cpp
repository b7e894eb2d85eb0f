// SPDX-License-Identifier: MIT
// Which children are taken to be too fine to be heard of one by one.
#include "record/levels.hpp"

#include <gtest/gtest.h>

#include <cstdint>

namespace saguaro::record {
namespace {

constexpr std::int64_t most = 1000; // ticks: what takes less is short
constexpr std::int64_t least = 20;  // what has a moment in each so many is fine

class children : public testing::Test {
protected:
    children() { made.fine_below(least); }

    // One that takes so long, with so many moments in it. Whether it was to be dozed in.
    bool child(std::int64_t took, std::uint64_t moments, std::size_t depth = 3,
               const void *site = nullptr) {
        const bool fine = made.begins(depth, site, now_, moments_);
        if (fine)
            made.dozes(depth);
        else
            moments_ += moments;
        now_ += took;
        made.ends(depth, now_, moments_);
        return fine;
    }

    // Whether nobody listens to the one behind so many that are short and fine.
    bool after(int fine) {
        for (int i = 0; i < fine; ++i)
            child(500, 100);
        return child(500, 100);
    }

    levels made{most};
    std::int64_t now_ = 1; // no tick is 0
    std::uint64_t moments_ = 0;
};

TEST_F(children, are_fine_after_some_that_were) {
    EXPECT_FALSE(after(3));
    EXPECT_TRUE(child(500, 100));
}

TEST_F(children, of_other_depths_are_others) {
    ASSERT_TRUE(after(4));
    EXPECT_FALSE(child(500, 100, 4));
    EXPECT_FALSE(child(500, 100, 2));
    EXPECT_TRUE(child(500, 100));
}

TEST_F(children, of_other_sites_are_others) {
    const char sites[64]{};
    ASSERT_TRUE(after(4));
    for (const char &site : sites)
        EXPECT_FALSE(child(500, 100, 3, &site));
}

// Whatever their addresses are.
TEST_F(children, of_several_sites_in_turns_are_fine) {
    const char sites[8]{};
    int fine = 0;
    for (int i = 0; i < 5; ++i)
        for (const char &site : sites)
            fine += child(500, 100, 3, &site) ? 1 : 0;
    EXPECT_EQ(fine, 8);
}

TEST_F(children, of_two_sites_are_known_side_by_side) {
    const char sites[64]{};
    int both = 0; // few have the same place
    for (const char &site : sites) {
        for (int i = 0; i < 5; ++i) {
            child(500, 100);
            child(500, 100, 3, &site);
        }
        both += child(500, 100) && child(500, 100, 3, &site) ? 1 : 0;
    }
    EXPECT_GT(both, 20);
}

TEST_F(children, with_few_moments_are_heard) {
    for (int i = 0; i < 100; ++i)
        ASSERT_FALSE(child(500, 500 / least));
}

TEST_F(children, are_heard_if_every_other_one_has_few_moments) {
    for (int i = 0; i < 100; ++i)
        ASSERT_FALSE(child(500, i % 2 == 0 ? 100 : 1));
}

// As where there can be no thread that watches, from some time on.
TEST_F(children, that_did_not_doze_are_judged_by_their_moments) {
    ASSERT_TRUE(after(20));
    bool fine = true;
    for (int i = 0; i < 10; ++i) {
        fine = made.begins(3, nullptr, now_, moments_);
        made.ends(3, now_ += 500, ++moments_);
    }
    EXPECT_FALSE(fine);
}

TEST_F(children, with_no_moments_say_nothing_of_others) {
    for (int i = 0; i < 100; ++i)
        ASSERT_FALSE(child(2, 0));
    ASSERT_TRUE(after(4));
    for (int i = 0; i < 3; ++i)
        child(500, 20); // of one that is not listened to nobody knows the moments
    EXPECT_TRUE(child(500, 100));
}

TEST_F(children, that_take_long_are_heard) {
    for (int i = 0; i < 100; ++i)
        ASSERT_FALSE(child(most, 100'000));
}

// One in three is too many, one in twenty is not.
TEST_F(children, are_heard_again_if_many_are_long) {
    ASSERT_TRUE(after(20));
    int dozed = 0;
    for (int i = 0; i < 300; ++i)
        dozed += child(i % 3 == 0 ? most : 500, 100) ? 1 : 0;
    EXPECT_LT(dozed, 10);
    ASSERT_TRUE(after(50));
    dozed = 0;
    for (int i = 0; i < 300; ++i)
        dozed += child(i % 20 == 0 ? most : 500, 100) ? 1 : 0;
    EXPECT_GT(dozed, 250);
}

TEST_F(children, are_heard_for_a_while_after_one_that_had_to_be_woken) {
    ASSERT_TRUE(after(20));
    ASSERT_TRUE(made.begins(3, nullptr, now_, moments_));
    made.dozes(3);
    made.woken(3);
    made.ends(3, now_ + 500, moments_);
    int heard = 0;
    while (!child(500, 100))
        ++heard;
    EXPECT_EQ(heard, 20); // from the worst score to a trusted one
}

TEST_F(children, may_be_dozed_in_until_they_are_much_longer_than_short_ones) {
    made.begins(3, nullptr, now_, 0);
    EXPECT_TRUE(made.may_doze(3, now_ + 4 * most - 1));
    EXPECT_FALSE(made.may_doze(3, now_ + 4 * most));
}

TEST_F(children, are_heard_sooner_if_one_was_much_longer) {
    ASSERT_TRUE(after(20));
    child(most, 100);
    EXPECT_TRUE(child(500, 100));
    ASSERT_TRUE(after(20));
    child(4 * most, 100);
    EXPECT_FALSE(child(500, 100));
}

TEST_F(children, that_are_very_deep_are_heard) {
    for (int i = 0; i < 100; ++i)
        ASSERT_FALSE(child(500, 100, 511 + static_cast<std::size_t>(i % 2 + 1)));
    for (int i = 0; i < 4; ++i)
        ASSERT_FALSE(child(500, 100, 511));
    EXPECT_TRUE(child(500, 100, 511));
}

TEST_F(children, that_are_very_deep_change_nothing_of_those_around_them) {
    constexpr std::size_t around = 100;
    for (int i = 0; i < 5; ++i) {
        for (std::size_t depth = 0; depth < around; ++depth)
            EXPECT_EQ(made.begins(depth, nullptr, now_, moments_), i == 4) << depth;
        for (std::size_t depth = 512; depth < 520; ++depth)
            EXPECT_FALSE(child(1, 1, depth, &depth));
        now_ += 500;
        moments_ += 100;
        for (std::size_t depth = around; depth-- > 0;)
            made.ends(depth, now_, moments_);
    }
}

} // namespace
} // namespace saguaro::record
