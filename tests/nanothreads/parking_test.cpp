// SPDX-License-Identifier: MIT
// Tests of the moments of going to sleep, each forced at a look around.
#include "nanothreads/parking.hpp"

#include "platform/idle_threads.hpp"

#include <atomic>
#include <cstdint>
#include <gtest/gtest.h>
#include <sched.h>
#include <thread>

namespace saguaro::nanothreads {

namespace {

const auto sees_something = [] { return true; };
const auto sees_nothing = [] { return false; };

TEST(nanothreads_parking, one_processor_without_work_is_the_end) {
    parking p(1);
    EXPECT_FALSE(p.sleep(sees_nothing));
    EXPECT_TRUE(p.over());
}

TEST(nanothreads_parking, who_sees_something_stays_awake) {
    parking p(2);
    EXPECT_TRUE(p.sleep(sees_something));
    EXPECT_FALSE(p.any_idle());
    EXPECT_FALSE(p.over());
}

TEST(nanothreads_parking, woken_while_it_looks_around_and_sees_nothing) {
    parking p(2);
    EXPECT_TRUE(p.sleep([&] {
        EXPECT_TRUE(p.any_idle());
        p.wake_one();
        EXPECT_FALSE(p.any_idle());
        return false;
    }));
    EXPECT_FALSE(p.any_idle());
}

// Of this process: whatever counts is a processor of a test that is over, or of this one.
std::int32_t idle_threads() {
    return static_cast<std::int32_t>(static_cast<std::uint32_t>(platform::idle_word()));
}

// It goes on with the program when it has its ticket, however long it takes to say so.
TEST(nanothreads_parking, who_is_woken_at_the_end_is_no_idle_thread) {
    parking p(3);
    const std::int32_t before = idle_threads();
    const auto sleep = [&] { EXPECT_FALSE(p.sleep(sees_nothing)); };
    std::thread one(sleep), other(sleep);
    while (idle_threads() != before + 2)
        sched_yield();
    EXPECT_FALSE(p.sleep(sees_nothing));
    EXPECT_LE(idle_threads(), before);
    one.join();
    other.join();
    EXPECT_EQ(idle_threads(), before);
}

TEST(nanothreads_parking, who_stays_awake_while_the_run_ends_takes_its_ticket) {
    parking p(2);
    const std::int32_t before = idle_threads();
    EXPECT_FALSE(p.sleep([&] {
        EXPECT_FALSE(p.sleep(sees_nothing)); // the other processor
        return true;
    }));
    EXPECT_EQ(idle_threads(), before);
}

TEST(nanothreads_parking, who_is_woken_is_no_idle_thread_before) {
    parking p(2);
    const std::int32_t before = idle_threads();
    EXPECT_TRUE(p.sleep([&] {
        p.wake_one();
        EXPECT_LT(idle_threads(), before); // it is about to say that it sleeps
        return false;
    }));
    EXPECT_EQ(idle_threads(), before);
}

// It is off the count already: it must take its ticket, or the next sleeper would not sleep.
TEST(nanothreads_parking, woken_while_it_looks_around_and_sees_something) {
    parking p(2);
    EXPECT_TRUE(p.sleep([&] {
        p.wake_one();
        return true;
    }));
    EXPECT_FALSE(p.any_idle());
    std::atomic<bool> back{false};
    std::thread sleeper([&] {
        EXPECT_TRUE(p.sleep(sees_nothing));
        back = true;
    });
    while (!p.any_idle())
        sched_yield();
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    EXPECT_FALSE(back); // no ticket was left over
    p.wake_one();
    sleeper.join();
}

TEST(nanothreads_parking, nobody_is_woken_twice) {
    parking p(2);
    p.wake_one(); // nobody is idle
    std::atomic<int> woken{0};
    std::thread sleeper([&] {
        EXPECT_TRUE(p.sleep(sees_nothing));
        ++woken;
    });
    while (!p.any_idle())
        sched_yield();
    EXPECT_EQ(woken, 0);
    p.wake_one();
    p.wake_one();
    sleeper.join();
    EXPECT_FALSE(p.any_idle());
}

TEST(nanothreads_parking, the_last_ends_the_run_for_all) {
    parking p(4);
    std::vector<std::thread> sleepers;
    for (int i = 0; i < 3; ++i)
        sleepers.emplace_back([&] { EXPECT_FALSE(p.sleep(sees_nothing)); });
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    EXPECT_FALSE(p.over());
    EXPECT_FALSE(p.sleep(sees_nothing));
    for (std::thread &each : sleepers)
        each.join();
}

// The last becomes idle while another looks around and believes that it has seen something.
TEST(nanothreads_parking, the_end_while_another_stays_awake) {
    parking p(2);
    EXPECT_FALSE(p.sleep([&] {
        EXPECT_FALSE(p.sleep(sees_nothing));
        return true;
    }));
    EXPECT_TRUE(p.over());
}

} // namespace

} // namespace saguaro::nanothreads
