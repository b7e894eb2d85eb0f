// SPDX-License-Identifier: MIT
// The bounds of Blumofe and Leiserson on uniform machines: T_P is at least T1 / P and T-infinity,
// and with random victims at most T1 / P + c * T-infinity. What steals cost is in the path: as
// Cilkview's burdened span has it.
#include "saguaro/detail/sanitizers.h"
#include "sim/support.hpp"

#include <gtest/gtest.h>
#include <string>

namespace saguaro::sim {
namespace {

// What was seen at most, over all trees and machines here, was 2.2.
constexpr double most_c = 3;

setup open_to_all(std::uint64_t seed = 0) {
    setup s = with_costs(costs(), seed);
    s.cost.how = steals::open;
    s.cost.ask = 0;
    return s;
}

struct worst {
    double c = 0;
    std::string where;
};

void hold(const std::string &workload, const program &p, unsigned workers, const setup &s,
          worst &w) {
    const span bounds = span_of(p, s.cost);
    const ps took = simulate(p, uniform_machine(workers), s).time;
    const std::string where = workload + " on " + std::to_string(workers);
    EXPECT_GE(took, bounds.work / workers) << where;
    EXPECT_GE(took, bounds.path) << where;
    const double c = (static_cast<double>(took) - static_cast<double>(bounds.work) / workers) /
                     static_cast<double>(bounds.burdened);
    EXPECT_LE(c, most_c) << where;
    if (c > w.c)
        w = {c, where};
}

// Each depth, width and length occurs among the first twelve, which are enough for a sanitizer.
constexpr unsigned random_trees = SG_ADDRESS_SANITIZER ? 12 : 60;

TEST(bounds, random_trees_on_2_to_1024_workers) {
    worst seen;
    for (unsigned seed = 1; seed <= random_trees; ++seed) {
        const std::string workload =
            "tree:" + std::to_string(4 + seed % 5) + ",branch=" + std::to_string(2 + seed % 4) +
            ",ns=" + std::to_string(seed % 3 == 0 ? 500 : 5000) + ",seed=" + std::to_string(seed);
        const program p = make_workload(workload);
        for (const unsigned workers : {2u, 3u, 8u, 64u, 1024u}) {
            hold(workload, p, workers, open_to_all(seed), seen);
            hold(workload + " by request", p, workers, with_costs(costs(), seed), seen);
        }
    }
    RecordProperty("c", std::to_string(seen.c));
    std::printf("c at most %.2f: %s\n", seen.c, seen.where.c_str());
}

TEST(bounds, all_workloads) {
    worst seen;
    for (const char *workload :
         {"fib:20", "loop:10000", "matmul:1024", "strassen:1024", "cholesky:2048", "stream:16"}) {
        const program p = make_workload(workload);
        for (const unsigned workers : {2u, 16u, 128u}) {
            for (setup s : {open_to_all(), with_costs(costs())}) {
                s.cost.node_bandwidth = 0;
                hold(workload, p, workers, s, seen);
            }
        }
    }
    std::printf("c at most %.2f: %s\n", seen.c, seen.where.c_str());
}

// By the default protocol. Without a pause between fences, each of which interrupts all, this takes
// 0.46 ms on 512 workers and 0.50 on 1,024.
TEST(bounds, more_workers_do_not_end_in_fences) {
    const program p = make_workload("fib:16,ns=2000");
    ps before = simulate(p, uniform_machine(128), with_costs(costs())).time;
    for (const unsigned workers : {256u, 512u, 1024u}) {
        const ps took = simulate(p, uniform_machine(workers), with_costs(costs())).time;
        EXPECT_LE(took, before + before / 50) << workers;
        before = took;
    }
}

// What requests and fences cost, where nothing else differs: the time against that with all slots
// public, which many workers that look for short strands bring out. With four public slots instead
// of sixteen it is up to 2.2 times as long.
TEST(bounds, requests_take_little_longer_than_public_slots) {
    constexpr double most = 1.3;
    for (const char *workload : {"fib:16,ns=2000", "fib:20,ns=500", "fib:22,ns=100",
                                 "tree:10,ns=2000", "loop:100000,ns=100", "strassen:1024"}) {
        const program p = make_workload(workload);
        for (const unsigned workers : {16u, 256u, 1024u, 4096u}) {
            setup all = with_costs(costs());
            all.cost.how = steals::open;
            const auto least = static_cast<double>(simulate(p, uniform_machine(workers), all).time);
            const ps took = simulate(p, uniform_machine(workers), with_costs(costs())).time;
            EXPECT_LE(static_cast<double>(took), most * least) << workload << " on " << workers;
        }
    }
}

} // namespace
} // namespace saguaro::sim
