// SPDX-License-Identifier: MIT
// Lookups of flows that are no strands: whose reducers they see, and what is said of others.
#include "hyperobjects/flows.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <thread>
#include <utility>

#include "hyperobjects/strand.hpp"
#include "saguaro/monoids.hpp"
#include "saguaro/reducer.hpp"

// Known to the dynamic linker by this name.
saguaro::reducer<saguaro::add<long>> sg_test_total;

namespace saguaro::hyperobjects {
namespace {

thread_local std::uintptr_t current = 0;

constexpr flows for_test{"a test's flow", [] { return current; },
                         [] { return reinterpret_cast<void *>(std::exchange(current, 0)); },
                         [](void *aside) { current = reinterpret_cast<std::uintptr_t>(aside); }};

// This thread animates the flow of that number while it lives.
class as_flow {
public:
    as_flow(const flows_region &of, std::uintptr_t number) : seen_(of) { current = number; }
    ~as_flow() { current = 0; }

private:
    const flows_region::attachment seen_;
};

TEST(flows, see_what_they_have_created) {
    const flows_region region(for_test);
    std::unique_ptr<reducer<add<long>>> made;
    {
        const as_flow one(region, 1);
        made = std::make_unique<reducer<add<long>>>(5);
        ++**made;
        EXPECT_EQ(made->get(), 6);
        EXPECT_EQ(current_local(), nullptr);
        EXPECT_EQ(SG_REGION_GET(sg_worker *, worker), nullptr);
    }
    EXPECT_EQ(made->get(), 6) << "as does everybody outside";
    {
        const as_flow again(region, 1);
        ++**made;
        made.reset();
        reducer<add<long>> in_its_slot;
        EXPECT_EQ(in_its_slot.get(), 0);
    }
}

TEST(flows, become_workers_and_come_back) {
    const flows_region region(for_test);
    local worker;
    const as_flow one(region, 1);
    reducer<add<long>> mine;
    const region_head *const before = seen_region();
    run_on(worker, [&] {
        EXPECT_EQ(current, 0U) << "the flow is set aside while the thread works for a run";
        ++*mine;
    });
    EXPECT_EQ(current, 1U);
    EXPECT_EQ(seen_region(), before);
    EXPECT_EQ(mine.get(), 1);
}

TEST(flows, a_thread_between_its_flows_is_outside) {
    const flows_region region(for_test);
    reducer<add<long>> made_outside;
    std::thread([&] {
        const flows_region::attachment between(region);
        ++*made_outside;
        EXPECT_NE(seen_region(), outside_head()) << "its next flow's lookups are seen to";
    }).join();
    EXPECT_EQ(made_outside.get(), 1);
}

TEST(flows_death, others_are_refused_by_name) {
    const flows_region region(for_test);
    EXPECT_DEATH(
        {
            const as_flow one(region, 1);
            ++*sg_test_total;
        },
        "saguaro: reducer sg_test_total at 0x[0-9a-f]+ of saguaro::add<long( int)?> was used by a "
        "test's flow that did not create it");
    EXPECT_DEATH(
        {
            std::unique_ptr<reducer<add<long>>> of_one;
            {
                const as_flow one(region, 1);
                of_one = std::make_unique<reducer<add<long>>>();
            }
            const as_flow two(region, 2);
            ++**of_one;
        },
        "was used by a test's flow that did not create it");
    EXPECT_DEATH(
        {
            auto of_one = std::make_unique<reducer<add<long>>>();
            const as_flow two(region, 2);
            ++**of_one;
        },
        "was used by a test's flow that did not create it");
}

TEST(flows_death, one_that_has_ended_is_said_to_have) {
    const flows_region region(for_test);
    alignas(reducer<add<long>>) char memory[sizeof(reducer<add<long>>)];
    EXPECT_DEATH(
        {
            const as_flow one(region, 1);
            auto *const ended = new (memory) reducer<add<long>>;
            ended->~reducer();
            ++**ended;
        },
        "a reducer was used that does not live");
}

} // namespace
} // namespace saguaro::hyperobjects
