// SPDX-License-Identifier: MIT
// Tests of the list of the runs that are under way.
#include "nanothreads/runs.hpp"

#include "nanothreads/settings.hpp"

#include <gtest/gtest.h>

namespace saguaro::nanothreads {

namespace {

// Also when the numbers begin again. A thread from outside would find the other run.
TEST(nanothreads_runs, that_are_under_way_have_different_numbers) {
    settings one = settings_from_environment();
    one.processors = 1;
    runtime first(one);
    runtime later(one);
    const run_under_way first_begins(first);
    ASSERT_TRUE(first_begins.is_accepted());
    for (int i = 0; i < 65535; ++i) {
        const run_under_way later_begins(later);
        ASSERT_NE(later.number(), first.number());
        ASSERT_NE(later.number(), 0);
    }
    EXPECT_FALSE(with_run(later.number(), [](runtime &) {}));
    EXPECT_TRUE(with_run(first.number(), [&](runtime &found) { EXPECT_EQ(&found, &first); }));
}

} // namespace

} // namespace saguaro::nanothreads
