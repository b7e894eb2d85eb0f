// SPDX-License-Identifier: MIT
// Several roots at once, and threads that sleep meanwhile: work that may be stolen is taken by each
// thread that has become free for it. The parts of a root wait for each other here, so that a
// wake-up that is lost shows as a wait without end.
#include "saguaro/detail/sanitizers.h"
#include "saguaro/parallel_invoke.hpp"
#include "saguaro/saguaro.hpp"
#include "scheduler/idle.hpp"
#include "scheduler/monitor.hpp"
#include "scheduler/runtime.hpp"
#include "scheduler/steal.hpp"
#include "support/kernel_calls.hpp"
#include "support/started.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <random>
#include <thread>

namespace saguaro::scheduler {
namespace {

using namespace std::chrono_literals;

using test::becomes_true;

// A thread whose root waits until it is told to end.
class busy_root {
public:
    busy_root() {
        thread_ = std::thread([this] {
            run([this] {
                inside_ = true;
                do
                    std::this_thread::sleep_for(1ms);
                while (!may_end_);
            });
        });
        EXPECT_TRUE(becomes_true([this] { return inside_.load(); }));
    }
    ~busy_root() {
        end();
        thread_.join();
    }
    busy_root(const busy_root &) = delete;
    busy_root &operator=(const busy_root &) = delete;

    void end() { may_end_ = true; }

private:
    std::thread thread_;
    std::atomic<bool> inside_{false};
    std::atomic<bool> may_end_{false};
};

// So many parts, which all have to be under way at once.
class parts {
public:
    explicit parts(int number) : number_(number) {}

    void run_one() {
        ++here_;
        if (!becomes_true([this] { return here_ >= number_; }))
            in_vain_ = true;
    }
    int here() const { return here_; }
    bool came_together() const { return here_ == number_ && !in_vain_; }

private:
    const int number_;
    std::atomic<int> here_{0};
    std::atomic<bool> in_vain_{false};
};

TEST(several_roots, a_thread_that_becomes_free_helps_the_one_that_is_left) {
    const test::started three(3);
    for (int round = 0; round < 5; ++round) {
        busy_root first;
        busy_root second;
        parts all(3);
        std::thread ends_the_others([&] {
            becomes_true([&] { return all.here() >= 1; });
            first.end();
            becomes_true([&] { return all.here() >= 2; });
            second.end();
        });
        run([&] {
            const auto part = [&] { all.run_one(); };
            parallel_invoke(part, part, part);
        });
        ends_the_others.join();
        ASSERT_TRUE(all.came_together()) << "in round " << round;
    }
}

// The thread of the runtime's is free first. The other part is for the second of the two that
// become free, whichever has begun the root.
TEST(several_roots, a_root_is_helped_when_another_has_ended) {
    const test::started two(2);
    for (int round = 0; round < 5; ++round) {
        std::atomic<bool> taken{false}, second_may_end{false}, first_may_end{false};
        std::thread other([&] {
            run([&] {
                parallel_invoke([&] { becomes_true([&] { return first_may_end.load(); }); },
                                [&] {
                                    taken = true;
                                    becomes_true([&] { return second_may_end.load(); });
                                });
            });
        });
        ASSERT_TRUE(becomes_true([&] { return taken.load(); }));
        parts both(2);
        std::thread ends_the_other([&] {
            second_may_end = true;
            becomes_true([&] { return both.here() >= 1; });
            first_may_end = true;
        });
        run([&] {
            const auto part = [&] { both.run_one(); };
            parallel_invoke(part, part);
        });
        ends_the_other.join();
        other.join();
        ASSERT_TRUE(both.came_together()) << "in round " << round;
    }
}

// Sleepers that nobody counts on for a moment hear of no push. What was pushed then is found all
// the same, although no nap ends.
TEST(several_roots, a_push_while_free_workers_are_visited_is_found) {
    const test::started two(2);
    run([] {});
    ASSERT_TRUE(becomes_true(
        [] { return running()->deep_sleepers == 1 && test_support::sleeps.without_end == 1; }));
    test_support::sleeps.ignore_limits = true;
    parts both(2);
    std::thread other;
    running()->callers().visit_free([&](worker &) {
        if (other.joinable())
            return;
        other = std::thread([&] {
            run([&] {
                const auto part = [&] { both.run_one(); };
                parallel_invoke(part, part);
            });
        });
        EXPECT_TRUE(becomes_true([&] { return both.here() != 0; }));
    });
    other.join();
    test_support::sleeps.ignore_limits = false;
    EXPECT_TRUE(both.came_together());
}

// ---- Who frees a processor wakes a thread for it ----
//
// What was pushed before was not heard, because there was none. No nap ends here.

class who_frees_a_processor : public testing::Test {
protected:
    who_frees_a_processor() { test_support::sleeps.ignore_limits = true; }
    ~who_frees_a_processor() override { test_support::sleeps.ignore_limits = false; }

    // So many of the runtime's threads work, and one thread sleeps for good.
    static bool awake_beside_a_sleeper(int awake) {
        return becomes_true([=] {
            return running()->seating().awake() == awake && test_support::sleeps.without_end == 1;
        });
    }

    // Parts that need another thread, which comes only after `free_one`, in a thread of its own.
    template <class Free>
    static void expect_help_after(Free free_one) {
        parts both(2);
        std::thread frees([&] {
            becomes_true([&] { return both.here() >= 1; });
            free_one();
        });
        run([&] {
            const auto part = [&] { both.run_one(); };
            parallel_invoke(part, part);
        });
        frees.join();
        EXPECT_TRUE(both.came_together());
    }
};

TEST_F(who_frees_a_processor, a_thread_that_leaves) {
    const test::started two(2);
    busy_root other;
    EXPECT_TRUE(awake_beside_a_sleeper(0));
    expect_help_after([&] { other.end(); });
}

TEST_F(who_frees_a_processor, a_thread_whose_root_has_nothing_for_it) {
    const test::started three(3);
    std::atomic<bool> is_taken{false}, own_part_may_end{false}, other_part_may_end{false};
    std::thread other([&] {
        run([&] {
            parallel_invoke([&] { becomes_true([&] { return own_part_may_end.load(); }); },
                            [&] {
                                is_taken = true;
                                while (!other_part_may_end) // for as long as the others try
                                    std::this_thread::sleep_for(1ms);
                            });
        });
    });
    EXPECT_TRUE(becomes_true([&] { return is_taken.load(); }));
    EXPECT_TRUE(awake_beside_a_sleeper(1));
    expect_help_after([&] { own_part_may_end = true; });
    other_part_may_end = true;
    other.join();
}

// The only one that sleeps has entered, and works for no root but its own, which another has begun.
TEST_F(who_frees_a_processor, a_thread_that_leaves_another_thread_alone) {
    const test::started two(2);
    run([] {
        std::atomic<bool> is_taken{false};
        parallel_invoke([&] { becomes_true([&] { return is_taken.load(); }); },
                        [&] {
                            is_taken = true;
                            EXPECT_TRUE(awake_beside_a_sleeper(1));
                            busy_root other;
                            expect_help_after([&] { other.end(); });
                        });
    });
}

// C functions that spawn seldom are heard by the thread that watches alone. A thread that sleeps
// for longer than it would is among those which the next root wakes.
TEST(several_roots, a_thread_that_does_not_watch_counts_as_asleep) {
    const test::started two(2);
    constexpr std::int64_t longest_of_a_watch = 8'000'000;
    const auto &sleeps = test_support::sleeps;
    int counted = 0;
    // The long nap may be over when this thread looks, but not each time.
    for (int round = 0; round < 3; ++round) {
        test_support::sleeps.longest_ns = 0;
        run([] {});
        ASSERT_TRUE(becomes_true([&] {
            return sleeps.longest_ns > longest_of_a_watch || running()->deep_sleepers == 1;
        }));
        counted += running()->deep_sleepers == 1;
    }
    EXPECT_GE(counted, 1);
}

// The thread that watches finds something by itself, because the push is not heard. There is no
// processor for the other one, so that no thread wakes it to work: it has to watch.
TEST(several_roots, a_thread_that_gets_up_hands_the_watch_on) {
    const test::started three(3);
    const busy_root other;
    const auto &seating = running()->seating();
    for (int round = 0; round < 10 && !testing::Test::HasFailure(); ++round)
        run([&] {
            ASSERT_TRUE(
                becomes_true([&] { return seating.awake() == 0 && seating.watch.is_kept(); }));
            std::atomic<bool> taken{false}, done{false};
            __atomic_store_n(&sg_hear_pushes, 0, __ATOMIC_SEQ_CST);
            parallel_invoke(
                [&] {
                    EXPECT_TRUE(becomes_true([&] { return taken.load(); }));
                    EXPECT_TRUE(becomes_true([&] { return seating.watch.is_kept(); }));
                    EXPECT_EQ(seating.awake(), 1);
                    done = true;
                },
                [&] {
                    taken = true;
                    becomes_true([&] { return done.load(); });
                });
        });
}

// So many parts, each of some looks.
void parts(test::monitor &all, unsigned number, std::uint64_t random) {
    const unsigned looks = random % 4;
    if (number == 1)
        all.part(looks);
    else
        parallel_invoke([&] { parts(all, number / 2, random * 3 + 1); },
                        [&] { parts(all, number - number / 2, random / 5); });
}

TEST(several_roots, nothing_to_steal_is_left_beside_a_sleeper_and_a_processor) {
    constexpr int callers = 4;
    constexpr int rounds = SG_THREAD_SANITIZER || SG_ADDRESS_SANITIZER ? 25 : 150;
    for (const unsigned workers : {2U, 3U, 5U}) {
        const test::started some(workers);
        test::monitor all;
        std::atomic<int> left{callers};
        std::thread enter([&] {
            test::on_threads(callers, [&](int number) {
                std::mt19937 random(static_cast<unsigned>(number) + workers);
                for (int i = 0; i < rounds; ++i) {
                    all.part(static_cast<unsigned>(random() % 4));
                    run([&] { parts(all, static_cast<unsigned>(random() % 6 + 1), random()); });
                }
                --left;
            });
        });
        bool holds = true;
        while (left != 0)
            holds = all.look([](const runtime &rt) { return rt.any_worker(looks_rich); }) && holds;
        enter.join();
        EXPECT_TRUE(holds) << workers << " workers";
    }
}

} // namespace
} // namespace saguaro::scheduler
