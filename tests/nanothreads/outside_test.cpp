// SPDX-License-Identifier: MIT
// Unblocks from outside the run: by threads of the program, and by nano-threads of other runs.
#include "designs.hpp"
#include "nanothreads/parking.hpp"
#include "saguaro/nanothreads.hpp"
#include "saguaro/run.hpp"

#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <gtest/gtest.h>
#include <sched.h>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

namespace saguaro::nt {

namespace {

class nanothreads_outside : public on_each_design {};

TEST_P(nanothreads_outside, wakes_the_only_nano_thread) {
    int data = 0; // no atomic: the block sees what came before the unblock
    run(chosen(), [&] {
        hold();
        std::thread other([&, me = self()] {
            data = 1;
            unblock(me);
        });
        block();
        EXPECT_EQ(data, 1);
        other.join();
    });
}

TEST_P(nanothreads_outside, comes_before_the_block) {
    run(chosen(), [] {
        hold();
        std::thread([me = self()] { unblock(me); }).join();
        block();
    });
}

TEST_P(nanothreads_outside, of_several_threads_for_many) {
    constexpr int threads = 3;
    constexpr int each = 40;
    std::vector<thread *> waits;
    std::atomic<int> woken{0};
    std::vector<std::thread> others;
    run(chosen(), [&] {
        for (int i = 0; i < threads * each; ++i)
            hold();
        for (int i = 0; i < threads * each; ++i)
            waits.push_back(fork([&] {
                block();
                ++woken;
            }));
        for (int t = 0; t < threads; ++t)
            others.emplace_back([&, t] {
                for (int i = t; i < threads * each; i += threads)
                    unblock(waits[static_cast<std::size_t>(i)]);
            });
        join();
        EXPECT_EQ(woken, threads * each);
    });
    for (std::thread &other : others)
        other.join();
}

// A server: the nano-thread takes the next hold when an event has come.
TEST_P(nanothreads_outside, again_and_again) {
    constexpr int events = 200;
    std::atomic<int> seen{0};
    std::thread other;
    run(chosen(), [&] {
        hold();
        other = std::thread([&, me = self()] {
            for (int i = 0; i < events; ++i) {
                while (seen.load() != i)
                    sched_yield();
                unblock(me);
            }
        });
        for (int i = 1; i <= events; ++i) {
            block();
            if (i < events)
                hold();
            seen = i;
        }
    });
    other.join();
    EXPECT_EQ(seen, events);
}

// The only nano-thread is blocked, once for the outside and then for good.
TEST_P(nanothreads_outside, keeps_the_run_until_it_comes) {
    std::atomic<bool> has_come{false};
    std::thread other;
    testing::internal::CaptureStderr();
    try {
        run(chosen(), [&] {
            hold();
            other = std::thread([&, me = self()] {
                // Most often the processors sleep by then.
                std::this_thread::sleep_for(std::chrono::milliseconds(2));
                has_come = true;
                unblock(me);
            });
            block();
            block(); // for ever
        });
        ADD_FAILURE();
    } catch (const std::system_error &deadlock) {
        EXPECT_EQ(deadlock.code().value(), EDEADLK);
    }
    EXPECT_TRUE(has_come);
    other.join();
    EXPECT_EQ(testing::internal::GetCapturedStderr(),
              "saguaro: nano-threads: deadlock: 1 left and none can run: 1 blocked, 0 joining, 0 "
              "with dependences that nobody satisfies\n");
}

// One nano-thread never gives its processor up but by yields, and waits for another one's deed.
TEST_P(nanothreads_outside, runs_beside_one_that_yields) {
    bool is_done = false;
    std::thread other;
    options one = chosen();
    one.processors = 1;
    run(one, [&] {
        hold();
        fork([&] {
            other = std::thread([&, me = self()] { unblock(me); });
            block();
            is_done = true;
        });
        while (!is_done)
            yield();
        join();
    });
    other.join();
}

TEST_P(nanothreads_outside, by_a_nano_thread_of_another_run) {
    int woken = 0;
    run(chosen(), [&] {
        hold();
        hold();
        run(chosen(), [me = self()] { unblock(me); }); // inside this one
        std::thread other([&, me = self()] { run(chosen(), [me] { unblock(me); }); });
        block();
        block();
        ++woken;
        other.join();
    });
    EXPECT_EQ(woken, 1);
}

TEST_P(nanothreads_outside, by_a_task) {
    run(chosen(), [] {
        hold();
        saguaro::run([me = self()] { unblock(me); });
        block();
    });
}

SG_ON_EACH_DESIGN(nanothreads_outside);

} // namespace

} // namespace saguaro::nt

// The moments, each forced at a look around.
namespace saguaro::nanothreads {

namespace {

const auto finds_nothing = [] { return false; };

TEST(nanothreads_arrivals, a_hold_keeps_an_idle_run) {
    parking p(1);
    p.hold();
    EXPECT_EQ(p.holds(), 1U);
    EXPECT_FALSE(p.sleep([&] {
        EXPECT_FALSE(p.over());
        p.arrive(nullptr); // the last hold: whoever uses it up ends the run
        EXPECT_TRUE(p.over());
        return false;
    }));
    EXPECT_EQ(p.holds(), 0U);
}

TEST(nanothreads_arrivals, two_for_one_hold) {
    parking p(2);
    p.hold();
    EXPECT_TRUE(p.arrive(nullptr));
    EXPECT_FALSE(p.arrive(nullptr));
    EXPECT_FALSE(p.over());
}

TEST(nanothreads_arrivals, what_arrives_while_a_processor_looks_wakes_it) {
    parking p(1);
    ::sg_nt t{};
    p.hold();
    EXPECT_TRUE(p.sleep([&] {
        EXPECT_TRUE(p.any_idle());
        p.arrive(&t);
        EXPECT_FALSE(p.any_idle());
        return false;
    }));
    EXPECT_FALSE(p.over());
    EXPECT_EQ(p.take_arrived(), &t);
    EXPECT_FALSE(p.any_arrived());
    EXPECT_FALSE(p.sleep(finds_nothing));
}

// Not the end of the last hold wakes it then.
TEST(nanothreads_arrivals, what_arrives_beside_other_holds_wakes_a_processor) {
    parking p(1);
    ::sg_nt t{};
    p.hold();
    p.hold();
    EXPECT_TRUE(p.sleep([&] {
        p.arrive(&t);
        EXPECT_FALSE(p.any_idle());
        return p.any_idle();
    }));
    EXPECT_EQ(p.take_arrived(), &t);
    EXPECT_FALSE(p.sleep([&] {
        p.arrive(nullptr);
        return false;
    }));
}

// The hold is gone before the last processor is idle: it must not take that for the end.
TEST(nanothreads_arrivals, what_arrived_before_is_no_end) {
    parking p(1);
    ::sg_nt first{};
    ::sg_nt second{};
    p.hold();
    p.hold();
    p.arrive(&first);
    p.arrive(&second);
    EXPECT_TRUE(p.sleep(finds_nothing));
    EXPECT_FALSE(p.over());
    EXPECT_FALSE(p.any_idle());
    EXPECT_EQ(p.take_arrived(), &second);
    EXPECT_EQ(second.next, &first);
    EXPECT_FALSE(p.sleep(finds_nothing));
}

// The last hold goes when one has seen that something has arrived, and is about to stay awake. The
// other is woken for nothing, and both look for more until the end.
TEST(nanothreads_arrivals, all_are_idle_and_one_is_about_to_stay_awake) {
    parking p(2);
    ::sg_nt t{};
    p.hold();
    p.hold();
    std::thread sleeper([&] {
        while (p.sleep(finds_nothing)) {
        }
    });
    while (!p.any_idle())
        sched_yield();
    EXPECT_TRUE(p.sleep([&] {
        p.arrive(&t); // wakes one of the two
        p.arrive(nullptr);
        EXPECT_FALSE(p.over());
        return true;
    }));
    EXPECT_FALSE(p.over());
    EXPECT_EQ(p.take_arrived(), &t);
    while (p.sleep(finds_nothing)) {
    }
    EXPECT_TRUE(p.over());
    sleeper.join();
}

} // namespace

} // namespace saguaro::nanothreads
