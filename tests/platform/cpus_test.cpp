// SPDX-License-Identifier: MIT
// Tests of affinity masks and the default number of workers.
#include "platform/cpus.hpp"

#include "platform/cgroup.hpp"
#include "platform/cpu_mask.hpp"
#include "platform/thread.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <sched.h>
#include <thread>

using namespace saguaro::platform;

TEST(allowed_cpus, are_ascending_and_as_many_as_the_mask_has) {
    const std::vector<int> cpus = allowed_cpus();
    EXPECT_TRUE(std::is_sorted(cpus.begin(), cpus.end()));
    EXPECT_EQ(std::adjacent_find(cpus.begin(), cpus.end()), cpus.end());
    // Not hardware_concurrency, which may count processors that this process may not use.
    cpu_set_t mask;
    ASSERT_EQ(sched_getaffinity(0, sizeof mask, &mask), 0);
    EXPECT_EQ(cpus.size(), static_cast<std::size_t>(CPU_COUNT(&mask)));
}

TEST(allowed_cpus, follow_the_affinity_mask) {
    std::vector<int> seen;
    unsigned workers = 0;
    const int last = allowed_cpus().back();
    std::thread([&] {
        ASSERT_TRUE(pin_to_cpu(last));
        seen = allowed_cpus();
        workers = default_workers();
    }).join();
    EXPECT_EQ(seen, std::vector<int>{last});
    EXPECT_EQ(workers, 1u);
}

// Each worker's thread asks for its own, and there may be no memory left for the last ones.
TEST(cpu_mask, takes_no_memory_up_to_1024_processors) {
    const cpu_mask mask = cpu_mask::of_thread(0);
    const void *const bits = mask.data();
    EXPECT_TRUE(mask.size() > 1024 || (bits >= &mask && bits < &mask + 1)); // of a larger machine
    EXPECT_GE(mask.count(), 1);
    cpu_mask many(5000);
    many.add(4999);
    EXPECT_TRUE(many.contains(4999));
    EXPECT_EQ(many.count(), 1);
}

TEST(default_workers, are_at_least_one_and_no_more_than_allowed) {
    EXPECT_GE(default_workers(), 1u);
    EXPECT_LE(default_workers(), allowed_cpus().size());
}
