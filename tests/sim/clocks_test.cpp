// SPDX-License-Identifier: MIT
// A test that the earliest of all clocks comes first.
#include "engine/clocks.hpp"

#include <gtest/gtest.h>
#include <random>

namespace saguaro::sim {
namespace {

TEST(clocks, first_is_the_earliest_of_all) {
    for (const unsigned workers : {1u, 2u, 3u, 17u, 64u}) {
        clocks all(workers);
        std::vector<ps> times(workers, clocks::never);
        std::mt19937 random(workers);
        for (int round = 0; round < 500; ++round) {
            const unsigned who = static_cast<unsigned>(random() % workers);
            times[who] = random() % 8 == 0 ? clocks::never : static_cast<ps>(random() % 20);
            all.set(who, times[who]);
            const auto earliest =
                std::min_element(times.begin(), times.end()); // the first of equals
            if (*earliest != clocks::never)
                ASSERT_EQ(all.first(), static_cast<unsigned>(earliest - times.begin()));
            ASSERT_EQ(all.time(who), times[who]);
        }
    }
}

} // namespace
} // namespace saguaro::sim
