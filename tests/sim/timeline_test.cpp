// SPDX-License-Identifier: MIT
// Tests of the time line's intervals.
#include "engine/timeline.hpp"

#include <gtest/gtest.h>

namespace saguaro::sim {
namespace {

ps sum(const timeline &t, unsigned worker, activity what) {
    ps all = 0;
    for (std::size_t at = 0; at < timeline::intervals; ++at)
        all += t.during(worker, at, what);
    return all;
}

TEST(timelines, intervals_grow_and_nothing_is_lost) {
    timeline t(2);
    t.add(0, activity::work, 0, 300);
    t.add(1, activity::sleep, 100, 700'000'000);
    t.add(0, activity::work, 1'000'000, 5'000'000);
    EXPECT_EQ(sum(t, 0, activity::work), 300 + 4'000'000);
    EXPECT_EQ(sum(t, 1, activity::sleep), 700'000'000 - 100);
    EXPECT_EQ(sum(t, 1, activity::work), 0);
    EXPECT_GE(t.interval() * static_cast<ps>(timeline::intervals), 700'000'000);
    EXPECT_LT(t.interval() * static_cast<ps>(timeline::intervals), 2 * 700'000'000);
}

TEST(timelines, each_interval_has_its_part) {
    timeline t(1);
    const ps each = t.interval();
    t.add(0, activity::memory, each / 2, 3 * each);
    EXPECT_EQ(t.during(0, 0, activity::memory), each - each / 2);
    EXPECT_EQ(t.during(0, 1, activity::memory), each);
    EXPECT_EQ(t.during(0, 2, activity::memory), each);
    EXPECT_EQ(t.during(0, 3, activity::memory), 0);
}

} // namespace
} // namespace saguaro::sim
