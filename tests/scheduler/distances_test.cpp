// SPDX-License-Identifier: MIT
// The policies that know the machine, held against distributions that are computed here from its
// distances alone.
#include "scheduler/chances.hpp"
#include "scheduler/policy.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <numeric>
#include <set>
#include <string>
#include <vector>

namespace saguaro::scheduler {
namespace {

using machine_pointer = std::shared_ptr<const platform::topology>;

const char *const machines[] = {
    "pu:1",
    "pack:1 numa:1 l3:1 core:8 pu:1",
    "pack:2 numa:1 l3:1 core:4 pu:2",
    "pack:2 numa:2 l3:2 core:2 pu:2",
    "pack:2 numa:1 l3:8 core:8 pu:2",
    "group:4 pack:2 numa:2 core:4 pu:1",
    "pack:8 numa:1 core:16 pu:1",
    SG_TEST_DATA "/four-sockets.xml",
};

class policies_on : public testing::TestWithParam<const char *> {
protected:
    void SetUp() override {
        const auto described = platform::topology::described(GetParam());
        if (!described && !platform::topology::from_synthetic("pu:1"))
            GTEST_SKIP() << "hwloc is missing";
        ASSERT_TRUE(described);
        machine = std::make_shared<const platform::topology>(*described);
        workers = static_cast<unsigned>(machine->cpus().size());
    }

    std::unique_ptr<steal_policy> started(const std::string &name) const {
        std::unique_ptr<steal_policy> policy = make_policy(name, machine);
        policy->start(workers, std::vector<int>(workers, -1));
        for (unsigned worker = 0; worker < workers; ++worker)
            policy->start_worker(worker);
        return policy;
    }

    int distance(unsigned a, unsigned b) const {
        return machine->distance(machine->cpus()[a], machine->cpus()[b]);
    }

    // The distances from a thief to all others, each once, the least first.
    std::vector<int> distances_of(unsigned thief) const {
        std::set<int> seen;
        for (unsigned other = 0; other < workers; ++other)
            if (other != thief)
                seen.insert(distance(thief, other));
        return {seen.begin(), seen.end()};
    }

    // What a worker weighs in `biased`, of a thief that has workers at these distances.
    static double weight_by_itself(const std::vector<int> &distances, int distance) {
        const bool other_caches =
            std::count(distances.begin(), distances.end(), platform::same_node) != 0;
        const double in_cache = other_caches && distance <= platform::same_cache ? 2 : 1;
        return in_cache / platform::latency_of(distance);
    }

    // Pearson's statistic of many draws; see uniform_policy's test.
    void expect_weights(const std::string &name, const std::vector<double> &by_group) const {
        const auto policy = started(name);
        for (const unsigned thief : {0U, workers / 2, workers - 1}) {
            const std::vector<int> groups = distances_of(thief);
            std::vector<double> weight(workers, 0);
            for (unsigned other = 0; other < workers; ++other) {
                if (other == thief)
                    continue;
                const auto at = static_cast<std::size_t>(
                    std::find(groups.begin(), groups.end(), distance(thief, other)) -
                    groups.begin());
                weight[other] = by_group.empty() ? weight_by_itself(groups, groups[at])
                                                 : by_group[std::min(at, by_group.size() - 1)];
            }
            const double all = std::accumulate(weight.begin(), weight.end(), 0.0);
            const unsigned draws = 3000 * workers;
            std::vector<unsigned> seen(workers, 0);
            for (unsigned i = 0; i < draws; ++i) {
                const int victim = policy->choose_victim(thief, i);
                ASSERT_GE(victim, 0);
                ASSERT_LT(victim, static_cast<int>(workers));
                ++seen[static_cast<unsigned>(victim)];
            }
            double statistic = 0;
            double freedom = -1;
            for (unsigned v = 0; v < workers; ++v) {
                const double expected = draws * weight[v] / all;
                if (expected == 0) {
                    EXPECT_EQ(seen[v], 0U) << name << ", thief " << thief << ", victim " << v;
                    continue;
                }
                statistic += (seen[v] - expected) * (seen[v] - expected) / expected;
                ++freedom;
            }
            // The weights by latency are rounded to whole numbers, which moves a share by up to a
            // hundredth.
            const double rounding = by_group.empty() ? draws * 1e-4 : 0;
            EXPECT_LE(statistic, freedom + 6 * std::sqrt(2 * freedom) + rounding)
                << name << ", thief " << thief;
        }
        policy->stop();
    }

    machine_pointer machine;
    unsigned workers = 0;
};

TEST_P(policies_on, biased_draws_as_its_weights_say) {
    if (workers < 2)
        return;
    expect_weights("biased:4,2,1", {4, 2, 1});
    expect_weights("biased:1,10", {1, 10});
    expect_weights("biased:7", {7});
}

TEST_P(policies_on, biased_follows_latencies_by_itself) {
    if (workers >= 2)
        expect_weights("biased", {});
}

// A distance may be left out, and the rest is drawn as if it were not there.
TEST_P(policies_on, what_weighs_nothing_is_never_drawn) {
    if (workers >= 2 && distances_of(0).size() >= 2)
        expect_weights("biased:0,1", {0, 1});
}

TEST_P(policies_on, nearest_goes_from_near_to_far_and_wraps_around) {
    const auto policy = started("nearest");
    for (unsigned thief = 0; thief < workers; ++thief) {
        const std::vector<int> groups = distances_of(thief);
        std::map<int, std::set<int>> victims; // by distance
        for (unsigned failed = 0; failed < 40 * workers; ++failed) {
            const int victim = policy->choose_victim(thief, failed);
            if (workers == 1) {
                EXPECT_EQ(victim, -1);
                continue;
            }
            ASSERT_GE(victim, 0);
            ASSERT_NE(victim, static_cast<int>(thief));
            const int far = distance(thief, static_cast<unsigned>(victim));
            EXPECT_EQ(far, groups[failed % groups.size()]);
            victims[far].insert(victim);
        }
        // Within a distance anybody may be it: of sixteen in a group at least half have been.
        for (const int each : groups) {
            std::size_t there = 0;
            for (unsigned other = 0; other < workers; ++other)
                there += other != thief && distance(thief, other) == each ? 1 : 0;
            EXPECT_GE(2 * victims[each].size(), there) << "thief " << thief << " at " << each;
        }
    }
    policy->stop();
}

// The shares that are told of each distance are those that are drawn, after any number of failures.
TEST_P(policies_on, draw_each_distance_as_often_as_is_told) {
    for (const std::string name :
         {"uniform", "nearest", "biased", "biased:4,2,1", "biased:0,3,1"}) {
        const auto policy = started(name);
        seating seats;
        seats.start(machine, std::vector<int>(workers, -1));
        for (const unsigned thief : {0U, workers - 1}) {
            const neighbours around = seats.around(thief);
            for (const unsigned failed : {0U, 1U, 2U, 7U}) {
                const std::vector<double> told = chances_of(name, around.groups, failed);
                ASSERT_EQ(told.size(), around.groups.size());
                const double all = std::accumulate(told.begin(), told.end(), 0.0);
                constexpr unsigned draws = 20'000;
                std::map<int, unsigned> seen; // by distance
                unsigned nobody = 0;
                for (unsigned i = 0; i < draws; ++i) {
                    const int victim = policy->choose_victim(thief, failed);
                    if (victim < 0)
                        ++nobody;
                    else
                        ++seen[distance(thief, static_cast<unsigned>(victim))];
                }
                EXPECT_EQ(nobody, all == 0 ? draws : 0) << name;
                if (all != 0)
                    EXPECT_NEAR(all, 1, 1e-12) << name;
                for (std::size_t at = 0; at < told.size(); ++at) {
                    const double share = told[at];
                    EXPECT_NEAR(seen[around.groups[at].distance], draws * share,
                                5 * std::sqrt(draws * share * (1 - share)))
                        << name << ", thief " << thief << ", distance "
                        << around.groups[at].distance << ", " << failed << " failed";
                }
            }
        }
        policy->stop();
    }
}

// By hand, for what the caches of a machine change: seven cores near, seven times eight in the same
// node, and 64 in the other one.
TEST(chances, see_the_caches_of_a_node) {
    const auto of_first = [](const char *machine) {
        const auto described = platform::topology::described(machine);
        seating seats;
        seats.start(std::make_shared<const platform::topology>(*described),
                    std::vector<int>(described->cpus().size(), -1));
        return chances_of("biased", seats.around(0).groups, 0);
    };
    if (!platform::topology::described("pu:1"))
        GTEST_SKIP() << "hwloc is missing";
    const double all = 7 * 2 + 56 + 64 * 0.5;
    EXPECT_EQ(of_first("pack:2 numa:1 l3:8 core:8 pu:1"),
              (std::vector{7 * 2 / all, 56 / all, 64 * 0.5 / all}));
    EXPECT_EQ(of_first("pack:1 numa:1 l3:2 core:2 pu:1"), (std::vector{2 / 4.0, 2 / 4.0}));
    // One cache for the whole node: nobody of the node is nearer than the rest.
    EXPECT_EQ(of_first("pack:1 numa:1 l3:1 core:4 pu:2"), (std::vector{1 / 7.0, 6 / 7.0}));
}

TEST(chances, are_none_of_a_policy_that_there_is_not) {
    EXPECT_TRUE(chances_of("fastest", {{2, 0, 3}}, 0).empty());
    EXPECT_EQ(chances_of("biased:4,1", {{2, 0, 1}, {12, 1, 4}}, 0), (std::vector{0.5, 0.5}));
}

TEST_P(policies_on, alone_there_is_nobody_to_try) {
    for (const char *name : {"nearest", "biased", "biased:3"}) {
        const auto policy = make_policy(name, machine);
        policy->start(1, {-1});
        policy->start_worker(0);
        EXPECT_EQ(policy->choose_victim(0, 0), -1) << name;
        policy->stop_worker(0);
        policy->stop();
    }
}

INSTANTIATE_TEST_SUITE_P(machines, policies_on, testing::ValuesIn(machines),
                         [](const auto &which) { return std::to_string(which.index); });

// The kernel places the workers: nobody knows who is near.
TEST(policies_without_places, draw_evenly) {
    for (const char *name : {"nearest", "biased", "biased:9,1"}) {
        const auto policy = make_policy(name, nullptr);
        policy->start(4, {-1, -1, -1, -1});
        for (unsigned worker = 0; worker < 4; ++worker)
            policy->start_worker(worker);
        std::vector<int> seen(4, 0);
        for (unsigned i = 0; i < 3000; ++i)
            ++seen[static_cast<unsigned>(policy->choose_victim(1, i))];
        EXPECT_EQ(seen[1], 0);
        for (const unsigned other : {0U, 2U, 3U})
            EXPECT_NEAR(seen[other], 1000, 160) << name;
        policy->stop();
    }
}

// More workers than the described machine has processors sit on them in turns.
TEST(policies_on_a_small_machine, seat_the_rest_on_the_first_processors_again) {
    const auto described = platform::topology::described("pack:2 numa:1 core:1 pu:1");
    if (!described)
        GTEST_SKIP() << "hwloc is missing";
    const auto policy =
        make_policy("nearest", std::make_shared<const platform::topology>(*described));
    policy->start(4, {-1, -1, -1, -1});
    for (unsigned worker = 0; worker < 4; ++worker)
        policy->start_worker(worker);
    for (unsigned i = 0; i < 20; ++i) {
        EXPECT_EQ(policy->choose_victim(0, 2 * i), 2);
        EXPECT_EQ(policy->choose_victim(0, 2 * i + 1) % 2, 1);
    }
    policy->stop();
}

} // namespace
} // namespace saguaro::scheduler
