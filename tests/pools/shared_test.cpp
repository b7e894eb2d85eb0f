// SPDX-License-Identifier: MIT
// Tests of how jobs are taken: each once, in their order, and what a lane has taken is found.
#include "pools.hpp"
#include "pools/shared.hpp"

#include <chrono>
#include <gtest/gtest.h>
#include <thread>

namespace saguaro {

namespace {

using pools::shared_memory;

TEST(pools_shared, jobs_are_taken_in_their_order) {
    const shared_memory memory(3, 2);
    memory.give_up_to(3);
    EXPECT_EQ(memory.lane_of(0), -1);
    EXPECT_EQ(memory.take(1), 0U);
    EXPECT_EQ(memory.take(0), 1U);
    EXPECT_FALSE(memory.all_taken());
    EXPECT_EQ(memory.take(1), 2U);
    EXPECT_TRUE(memory.all_taken());
    EXPECT_EQ(memory.take(0), pools::no_job);
    EXPECT_EQ(memory.lane_of(1), 0);
    EXPECT_EQ(memory.taken_from(0, 0), 1U);
    EXPECT_EQ(memory.taken_from(1, 1), 2U);
    EXPECT_EQ(memory.taken_from(2, 0), pools::no_job);
}

// A worker that was slow sets the hint back.
TEST(pools_shared, a_hint_that_is_too_low) {
    const shared_memory memory(4, 1);
    memory.give_up_to(4);
    for (std::size_t job = 0; job < 3; ++job)
        EXPECT_EQ(memory.take(0), job);
    memory.words().next = 1;
    EXPECT_EQ(memory.take(0), 3U);
    EXPECT_EQ(memory.words().next, 4U);
}

TEST(pools_shared, each_job_is_taken_once) {
    constexpr std::size_t jobs = 20'000;
    const shared_memory memory(jobs, 3);
    memory.give_up_to(jobs);
    std::size_t taken[3] = {};
    std::vector<std::thread> all;
    for (unsigned lane = 0; lane < 3; ++lane)
        all.emplace_back([&, lane] {
            std::size_t last = 0;
            for (std::size_t job; (job = memory.take(lane)) < jobs; last = job) {
                ++taken[lane];
                EXPECT_TRUE(job >= last);
                EXPECT_EQ(memory.lane_of(job), static_cast<int>(lane));
            }
        });
    for (std::thread &each : all)
        each.join();
    EXPECT_EQ(taken[0] + taken[1] + taken[2], jobs);
}

// A worker that was slow has an old hint, and the words of jobs that are done are others' by now.
TEST(pools_shared, a_word_serves_one_job_after_the_other) {
    const shared_memory memory(2, 2);
    for (std::size_t job = 0; job < 7; ++job) {
        EXPECT_EQ(memory.take(0), pools::no_job);
        memory.give_up_to(job + 1);
        EXPECT_FALSE(memory.all_taken());
        EXPECT_EQ(memory.lane_of(job), -1);
        memory.words().next = 0;
        EXPECT_EQ(memory.take(job % 2), job);
        EXPECT_EQ(memory.lane_of(job), static_cast<int>(job % 2));
        EXPECT_TRUE(memory.all_taken());
        EXPECT_EQ(memory.taken_from(job > 0 ? job - 1 : 0, 1), job % 2 == 1 ? job
                                                               : job > 0    ? job - 1
                                                                            : pools::no_job);
    }
}

TEST(pools_shared, a_worker_waits_for_a_job_or_the_end) {
    const shared_memory memory(2, 1);
    std::size_t got[2] = {};
    std::thread waits([&] {
        for (std::size_t &each : got)
            each = memory.await(0);
    });
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    memory.give_up_to(1);
    while (!memory.all_taken())
        std::this_thread::yield();
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    memory.close();
    waits.join();
    EXPECT_EQ(got[0], 0U);
    EXPECT_EQ(got[1], pools::no_job);
}

} // namespace

} // namespace saguaro
