// SPDX-License-Identifier: MIT
// Block, unblock, join: what comes before what. The interleavings that are rare are forced.
#include "designs.hpp"
#include "nanothreads/processor.hpp"
#include "platform/lent_threads.hpp"
#include "saguaro/nanothreads.hpp"
#include "support/kernel_calls.hpp"

#include <atomic>
#include <gtest/gtest.h>
#include <sched.h>
#include <thread>
#include <vector>

namespace saguaro::nt {

namespace {

class nanothreads_waiting : public on_each_design {};

TEST_P(nanothreads_waiting, unblock_after_block) {
    int after = 0;
    run(chosen(), [&] {
        thread *const main_thread = self();
        fork([=] { unblock(main_thread); });
        block();
        ++after;
    });
    EXPECT_EQ(after, 1);
}

TEST_P(nanothreads_waiting, unblocks_before_are_counted) {
    run(chosen(), [] {
        for (int i = 0; i < 3; ++i)
            unblock(self());
        for (int i = 0; i < 3; ++i)
            block();
    });
}

// The unblock comes when the thread has looked and not yet left: what sg_nt_block does in that
// moment, done here.
TEST_P(nanothreads_waiting, unblock_while_the_thread_leaves) {
    int after = 0;
    run(chosen(), [&] {
        unblock(self());
        nanothreads::this_processor->leave(*self(), nanothreads::state::blocked);
        ++after;
    });
    EXPECT_EQ(after, 1);
}

// What it waits for is satisfied when the thread has looked and not yet left.
TEST_P(nanothreads_waiting, satisfied_while_the_thread_leaves) {
    int after = 0;
    run(chosen(), [&] {
        expect(2);
        satisfy(self());
        satisfy(self());
        nanothreads::this_processor->leave(*self(), nanothreads::state::joining);
        ++after;
        expect(1); // nothing of the first join is left
        satisfy(self());
        join();
        ++after;
    });
    EXPECT_EQ(after, 2);
}

// The last thing that a thread does may be to wait for what it forked, on another processor than
// the one that it began on. A compiler that kept the address of a thread_local variable across the
// thread's function would leave the first one for the second time.
TEST_P(nanothreads_waiting, a_thread_that_has_moved_joins_when_it_ends) {
    if (processors() == 1)
        GTEST_SKIP() << "there is nowhere to go";
    std::atomic<bool> goes_on{false};
    std::atomic<bool> left{false};
    int ended = 0;
    run(chosen(), [&] {
        thread *const main_thread = self();
        const int began_on = processor();
        // What unblocks it keeps its processor busy meanwhile, so that another takes it.
        for (int tries = 0; processor() == began_on && tries < 1000; ++tries) {
            goes_on = false;
            fork([&] {
                unblock(main_thread);
                for (int yields = 0; !goes_on && yields < 1000; ++yields)
                    sched_yield();
            });
            block();
            goes_on = true;
        }
        EXPECT_NE(processor(), began_on);
        // Whoever runs this one waits until the main thread waits for it.
        fork([&] {
            while (!left)
                sched_yield();
            ++ended;
        });
        fork([&] { left = true; });
    });
    EXPECT_EQ(ended, 1);
}

// An unblock is none of the things that a join waits for.
TEST_P(nanothreads_waiting, join_does_not_take_an_unblock) {
    bool ended = false;
    run(chosen(), [&] {
        thread *const main_thread = self();
        fork([&, main_thread] {
            unblock(main_thread);
            yield();
            ended = true;
        });
        join();
        EXPECT_TRUE(ended);
        block();
    });
}

TEST_P(nanothreads_waiting, two_threads_take_turns) {
    constexpr int turns = 2000;
    int count = 0; // no atomic: the block sees what came before the unblock
    thread *threads[2];
    run(chosen(), [&] {
        for (int i = 0; i < 2; ++i)
            threads[i] = create(
                [&, i] {
                    for (int k = 0; k < turns; ++k) {
                        block();
                        ++count;
                        unblock(threads[1 - i]);
                    }
                },
                1);
        satisfy(threads[0]);
        satisfy(threads[1]);
        unblock(threads[0]);
    });
    EXPECT_EQ(count, 2 * turns);
}

TEST_P(nanothreads_waiting, many_unblock_one) {
    constexpr int wakers = 300;
    int woken = 0;
    run(chosen(), [&] {
        thread *const main_thread = self();
        for (int i = 0; i < wakers; ++i)
            fork([main_thread] {
                if (reinterpret_cast<std::uintptr_t>(&main_thread) % 128 == 0)
                    yield();
                unblock(main_thread);
            });
        for (; woken < wakers; ++woken)
            block();
        join();
    });
    EXPECT_EQ(woken, wakers);
}

TEST_P(nanothreads_waiting, threads_go_on_elsewhere) {
    std::atomic<int> wrong{0};
    run(chosen(), [&] {
        for (int i = 0; i < 200; ++i)
            fork([&wrong] {
                thread *const before = self();
                for (int k = 0; k < 20; ++k) {
                    yield();
                    wrong += self() != before || processor() < 0;
                }
            });
        join();
    });
    EXPECT_EQ(wrong, 0);
}

// Handlers are the thread's, whoever runs on its processor meanwhile, and wherever it goes on.
TEST_P(nanothreads_waiting, in_a_handler) {
    std::atomic<int> right{0};
    const auto caught_again = [](int expected) {
        try {
            throw; // what is being handled
        } catch (int what) {
            return what == expected;
        }
    };
    try {
        throw -1;
    } catch (int) {
        run(chosen(), [&] {
            for (int i = 0; i < 20; ++i)
                fork([&, i] {
                    try {
                        throw i;
                    } catch (int) {
                        for (int k = 0; k < 3; ++k)
                            yield();
                        right += caught_again(i);
                    }
                });
            join();
        });
        right += caught_again(-1);
    }
    EXPECT_EQ(right, 21);
}

// Two processors: one runs a thread that creates work now and then, the other sleeps in between.
TEST_P(nanothreads_waiting, sleepers_are_woken) {
    if (processors() == 1)
        GTEST_SKIP() << "has nobody to wake";
    platform::end_resting_threads(); // they sleep as well
    const statistics done = run(chosen(), [&] {
        for (int i = 0; i < 3; ++i) {
            while (test_support::sleeps.without_end == 0)
                sched_yield();
            std::atomic<bool> ran{false};
            fork([&] { ran = true; });
            while (!ran) // this processor is not given up: another must come
                sched_yield();
            join();
        }
    });
    EXPECT_GE(done.sleeps, 1U);
    EXPECT_GE(done.steals, 3U);
}

SG_ON_EACH_DESIGN(nanothreads_waiting);

TEST(nanothreads_idle, processors_without_work_sleep_until_there_is_some) {
    options chosen{};
    chosen.processors = 4;
    platform::end_resting_threads();
    run(chosen, [] {
        const auto &asleep = test_support::sleeps.without_end;
        for (int left = 60'000; left > 0 && asleep != 3; --left)
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        EXPECT_EQ(asleep, 3);
    });
}

} // namespace

} // namespace saguaro::nt
