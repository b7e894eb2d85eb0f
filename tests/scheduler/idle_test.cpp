// SPDX-License-Identifier: MIT
// Workers that sleep are woken: by a run from outside, by each construct's push, by each other. A
// task here waits for somebody to come, so that a wake-up that is lost shows as a long wait.
#include "scheduler/idle.hpp"

#include "platform/fence.hpp"
#include "platform/memory.hpp"
#include "saguaro/detail/sanitizers.h"
#include "saguaro/parallel_for.hpp"
#include "saguaro/parallel_invoke.hpp"
#include "saguaro/scope.hpp"
#include "scheduler/runtime.hpp"
#include "scheduler/steal.hpp"
#include "support/fib_clones.h"
#include "support/kernel_calls.hpp"
#include "support/scripted_policy.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <random>
#include <sched.h>
#include <string>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <thread>
#include <utility>
#include <vector>

namespace saguaro::scheduler {
namespace {

using namespace std::chrono_literals;
using clock = std::chrono::steady_clock;

// What takes longer than this does not come at all.
constexpr clock::duration patience = 60s;

// False if it did not become true in time.
template <class Condition>
bool comes_true(Condition condition) {
    for (const clock::time_point deadline = clock::now() + patience; !condition(); sched_yield())
        if (clock::now() > deadline)
            return false;
    return true;
}

bool sleepers_are(unsigned count) {
    return comes_true([=] { return running()->seating().sleepers() == count; });
}

// Those of the runtime's threads that sleep when nothing runs: one fewer than there are workers.
bool all_sleep(unsigned workers) {
    return sleepers_are(workers - 1);
}

// Whether so many have looked around for the last time and sleep for good, where naps never end.
bool sleep_for_good(unsigned count) {
    return comes_true([=] {
        return running()->seating().sleepers() == count &&
               test_support::sleeps.without_end == static_cast<int>(count);
    });
}

// Whether threads that sleep also wake up by themselves, to look around.
enum class naps { end, never_end };

// Workers that go to sleep as soon as they find nothing. If naps never end, a sleeper that no other
// thread wakes sleeps for good; a runtime that depends on them (without an asymmetric fence) keeps
// them.
class sleepy_workers {
public:
    explicit sleepy_workers(unsigned workers, naps kind = naps::end) {
        settings s = settings_from_environment();
        s.workers = workers;
        s.spin_ns = 0;
        EXPECT_EQ(start_with(s, make_uniform_policy()), 0);
        test_support::sleeps.ignore_limits =
            kind == naps::never_end && platform::fence_is_asymmetric();
    }
    ~sleepy_workers() {
        EXPECT_EQ(sg_stop(), 0);
        EXPECT_EQ(sg_hear_pushes, 0U);
        test_support::sleeps.ignore_limits = false;
    }
    sleepy_workers(const sleepy_workers &) = delete;
    sleepy_workers &operator=(const sleepy_workers &) = delete;
};

// So many strands meet: each waits for all others, so each needs a worker of its own.
class meeting {
public:
    explicit meeting(int parties) : parties_(parties) {}

    void arrive() {
        ++here_;
        if (comes_true([this] { return here_ >= parties_; }))
            return;
        ++late_;
        here_ = parties_; // nobody else waits in vain
    }

    bool all_came() const { return late_ == 0; }

private:
    const int parties_;
    std::atomic<int> here_{0};
    std::atomic<int> late_{0};
};

// ---- Each construct, with as many strands as there are workers ----

void meet_in_invoke(meeting &m, int parties) {
    if (parties == 1)
        m.arrive();
    else
        parallel_invoke([&] { m.arrive(); }, [&] { meet_in_invoke(m, parties - 1); });
}

void meet_in_scope(meeting &m, int parties) {
    scope s;
    for (int i = 1; i < parties; ++i)
        s.spawn([&m] { m.arrive(); });
    m.arrive();
    s.sync();
}

void meet_in_loop(meeting &m, int parties) {
    parallel_for(0, parties, [&](int) { m.arrive(); });
}

struct wake_up_case {
    const char *name;
    void (*meet)(meeting &, int parties);
    unsigned workers;
};

class wake_ups : public testing::TestWithParam<wake_up_case> {};

// The others sleep when the work comes that needs them all.
TEST_P(wake_ups, none_is_lost) {
    const auto [name, meet, count] = GetParam();
    const sleepy_workers workers(count, naps::never_end);
    constexpr int rounds = 60;
    for (int i = 0; i < rounds; ++i) {
        ASSERT_TRUE(all_sleep(count)) << "nothing to do, yet somebody is awake";
        meeting m(static_cast<int>(count));
        run([&, parties = static_cast<int>(count)] {
            // In every other round one that was woken on entering sleeps again.
            if (i % 2 == 0)
                all_sleep(count);
            meet(m, parties);
        });
        ASSERT_TRUE(m.all_came()) << "round " << i;
    }
}

constexpr wake_up_case wake_up_cases[] = {
    {"invoke_2", meet_in_invoke, 2}, {"scope_2", meet_in_scope, 2}, {"loop_2", meet_in_loop, 2},
    {"invoke_5", meet_in_invoke, 5}, {"scope_5", meet_in_scope, 5}, {"loop_5", meet_in_loop, 5}};

INSTANTIATE_TEST_SUITE_P(idle, wake_ups, testing::ValuesIn(wake_up_cases),
                         [](const auto &each) { return std::string(each.param.name); });

// C clones do not look for sleepers when they push; they are helped all the same, by everybody.
class c_clones : public testing::TestWithParam<unsigned> {};

TEST_P(c_clones, are_helped_by_all_who_slept) {
    const unsigned count = GetParam();
    const sleepy_workers workers(count);
    for (int i = 0; i < 20; ++i) {
        ASSERT_TRUE(all_sleep(count));
        run([&] {
            runtime &rt = current_worker()->rt;
            const unsigned me = current_worker()->id;
            std::vector<std::uint64_t> before(count);
            for (unsigned w = 0; w < count; ++w)
                before[w] = rt.worker_at(w).count.steals;
            const auto all_have_helped = [&] {
                test_fib(15);
                for (unsigned w = 0; w < count; ++w)
                    if (w != me && rt.worker_at(w).count.steals == before[w])
                        return false;
                return true;
            };
            // The flow may go to another worker, but then that one has stolen.
            EXPECT_TRUE(comes_true(all_have_helped)) << "round " << i;
        });
    }
}

INSTANTIATE_TEST_SUITE_P(idle, c_clones, testing::Values(2U, 4U),
                         testing::PrintToStringParamName());

// A flow that has asked at many pops in vain does not expect thieves any more, nor does its
// worker's chain. When it wakes one both do: that thief shall not have to ask for what it was woken
// for, nor to fence.
TEST(slots, are_public_when_a_push_wakes_somebody) {
    const sleepy_workers two(2, naps::never_end);
    if (!platform::fence_is_asymmetric())
        GTEST_SKIP() << "every pop asks: slots are always public";
    int expected = 0;
    constexpr int rounds = 50;
    for (int i = 0; i < rounds; ++i)
        run([&] {
            ASSERT_TRUE(sleep_for_good(1));
            deque &mine = *current_deque();
            chain &parents = current_worker()->parents;
            const auto expects = [](auto &row) {
                const std::lock_guard guard(row.lock);
                return row.expects_thieves();
            };
            // Answers as those to pops, which wake nobody.
            const auto pop_in_vain = [](auto &row, auto slot) {
                for (int pop = 0; pop < 2 * deque::patience; ++pop) {
                    const std::lock_guard guard(row.lock);
                    row.answer(slot);
                }
            };
            pop_in_vain(mine, mine.slots());
            pop_in_vain(parents, parents.head.load());
            const bool before = expects(mine) || expects(parents);
            bool at_the_push = false;
            parallel_invoke([&] { at_the_push = expects(mine) && expects(parents); }, [] {});
            expected += !before && at_the_push;
        });
    EXPECT_EQ(expected, rounds);
}

// The slack of the timers of the runtime's only thread, in ns; none if the system does not tell.
std::optional<long> slack_of_worker() {
    for (const auto &task : std::filesystem::directory_iterator("/proc/self/task")) {
        std::string name;
        std::getline(std::ifstream(task.path() / "comm"), name);
        long slack = 0;
        if (name == "saguaro/1" &&
            std::ifstream("/proc" / task.path().filename() / "timerslack_ns") >> slack)
            return slack;
    }
    return {};
}

TEST(naps, end_when_they_should) {
    const sleepy_workers two(2);
    if (!std::filesystem::exists("/proc/self/timerslack_ns"))
        GTEST_SKIP() << "the system does not say what slack a thread has";
    const int usual = prctl(PR_GET_TIMERSLACK, 0, 0, 0, 0);
    EXPECT_NE(usual, 1) << "nothing to see";
    run([usual] {
        EXPECT_TRUE(comes_true([] { return slack_of_worker() == 1; }));
        // What a task makes has the slack that it would have elsewhere.
        std::atomic<int> in_task = 0;
        parallel_invoke([&] { EXPECT_TRUE(comes_true([&] { return in_task != 0; })); },
                        [&] { in_task = prctl(PR_GET_TIMERSLACK, 0, 0, 0, 0); });
        EXPECT_EQ(in_task, usual);
    });
}

// The sleeper does not wake up by itself. When it has been woken and has looked around it sleeps
// again, which is counted.
class pushes : public testing::TestWithParam<std::pair<const char *, bool (*)()>> {
protected:
    class sleeper {
    public:
        bool is_woken() const {
            return comes_true([this] { return running()->statistics().sleeps > before_; });
        }

    private:
        const std::uint64_t before_ = running()->statistics().sleeps;
    };

public:
    static bool of_invoke() {
        const sleeper other;
        bool woken = false;
        parallel_invoke([&] { woken = other.is_woken(); }, [] {});
        return woken;
    }
    static bool of_scope() {
        const sleeper other;
        bool woken = false;
        scope s;
        s.spawn([&] { woken = other.is_woken(); });
        s.sync();
        return woken;
    }
    static bool of_loop() {
        const sleeper other;
        bool woken = false;
        parallel_for(0, 2, [&](int i) {
            if (i == 0)
                woken = other.is_woken();
        });
        return woken;
    }
    // A clone's first pop asks.
    static bool of_clones() {
        const sleeper other;
        test_fib(5);
        return other.is_woken();
    }
};

TEST_P(pushes, wake_a_sleeper) {
    const sleepy_workers two(2, naps::never_end);
    if (!platform::fence_is_asymmetric())
        GTEST_SKIP() << "sleepers look around by themselves";
    for (int i = 0; i < 100; ++i)
        run([&] {
            sg_wake(); // so that it looks around, and asks this flow, before it sleeps again
            ASSERT_TRUE(sleep_for_good(1));
            ASSERT_TRUE(GetParam().second()) << "round " << i;
        });
}

INSTANTIATE_TEST_SUITE_P(idle, pushes,
                         testing::Values(std::pair("invoke", &pushes::of_invoke),
                                         std::pair("scope", &pushes::of_scope),
                                         std::pair("loop", &pushes::of_loop),
                                         std::pair("clones", &pushes::of_clones)),
                         [](const auto &each) { return std::string(each.param.first); });

// A thief that keeps missing what it sees looks less often, and as often as before where it gets
// something or sees nothing.
TEST(rests_between_looks, grow_with_misses_only) {
    looks l;
    EXPECT_EQ(l.in_vain(false), 1U);
    for (unsigned rest = 2; rest <= looks::longest; rest *= 2)
        EXPECT_EQ(l.in_vain(true), rest);
    EXPECT_EQ(l.in_vain(true), looks::longest);
    for (unsigned i = 1; i < looks::before_shorter; ++i)
        EXPECT_EQ(l.in_vain(false), looks::longest);
    EXPECT_EQ(l.in_vain(false), looks::longest / 2);
    for (unsigned i = 1; i < looks::before_shorter; ++i)
        EXPECT_EQ(l.in_vain(false), looks::longest / 2);
    l.in_vain(true);
    EXPECT_EQ(l.in_vain(false), looks::longest);
    l.found();
    EXPECT_EQ(l.in_vain(false), 1U);
    EXPECT_EQ(l.in_vain(true), 2U);
}

TEST(rests_between_looks, are_longer_where_the_thief_has_missed_something) {
    const test::scripted_workers one(1);
    run([] {
        participant me;
        me.at = current_worker();
        idleness idle(me, me.at->rt);
        for (unsigned rest = 2; rest <= looks::longest; rest *= 2) {
            me.at->missed = true;
            idle.nothing();
            EXPECT_EQ(idle.rest(), rest);
        }
        for (unsigned i = 0; i < looks::before_shorter; ++i)
            idle.nothing();
        EXPECT_EQ(idle.rest(), looks::longest / 2);
        idle.found();
        EXPECT_EQ(idle.rest(), 1U);
    });
}

// Both workers are in strands; the second one looks for work between two steps of its own.
TEST(thieves, miss_what_they_see_and_do_not_get) {
    const sleepy_workers two(2);
    std::atomic<bool> is_taken{false}, looked{false}, is_there{false}, looked_again{false};
    const auto first = [&] {
        EXPECT_TRUE(comes_true([&] { return looked.load(); }));
        parallel_invoke(
            [&] {
                const std::lock_guard guard(current_deque()->lock);
                is_there = true;
                EXPECT_TRUE(comes_true([&] { return looked_again.load(); }));
            },
            [] {});
    };
    run([&] {
        parallel_invoke(
            [&] {
                EXPECT_TRUE(comes_true([&] { return is_taken.load(); }));
                first();
            },
            [&] {
                is_taken = true;
                worker &thief = *current_worker();
                thief.missed = false;
                EXPECT_FALSE(find_work(thief));
                EXPECT_FALSE(thief.missed) << "nothing to see";
                looked = true;
                EXPECT_TRUE(comes_true([&] { return is_there.load(); }));
                EXPECT_FALSE(find_work(thief));
                EXPECT_TRUE(thief.missed);
                looked_again = true;
            });
    });
}

// A task that needs the other worker while its thread falls asleep. A rescuer wakes it if nobody
// else did. The look around before the sleep sees what was pushed meanwhile.
TEST(sleepers, see_what_comes_while_they_fall_asleep) {
    const sleepy_workers two(2, naps::never_end);
    std::atomic<int> round{0};
    std::atomic<int> rescued{0};
    std::atomic<bool> over{false};
    std::thread rescuer([&] {
        while (!over) {
            const int seen = round;
            if (!comes_true([&] {
                    std::this_thread::sleep_for(1ms);
                    return over || round != seen;
                })) {
                ++rescued;
                sg_wake();
            }
        }
    });
    std::minstd_rand random(11);
    while (round < 2'000 && rescued == 0) {
        run([] {
            meeting m(2);
            meet_in_invoke(m, 2);
        });
        ++round;
        for (auto steps = random() % 16'384; steps != 0; --steps)
            std::atomic_signal_fence(std::memory_order_seq_cst);
    }
    over = true;
    rescuer.join();
    EXPECT_EQ(rescued, 0) << "in round " << round;
}

// The runtime stops when each has come to its end.
TEST(sleepers, all_wake_for_the_end) {
    for (int i = 0; i < 20; ++i) {
        const sleepy_workers many(8, naps::never_end);
        EXPECT_TRUE(all_sleep(8));
    }
}

TEST(sleepers, are_counted_once_whoever_wakes_them) {
    const sleepy_workers three(3);
    std::atomic<bool> enough{false};
    std::vector<std::thread> wakers;
    for (int i = 0; i < 3; ++i)
        wakers.emplace_back([&] {
            while (!enough) {
                sg_wake();
                sched_yield();
            }
        });
    for (int i = 0; i < 2000; ++i)
        ASSERT_LE(running()->seating().sleepers(), 3U);
    for (int i = 0; i < 100; ++i) {
        meeting m(3);
        run([&] { meet_in_loop(m, 3); });
        ASSERT_TRUE(m.all_came());
        ASSERT_LE(running()->seating().sleepers(), 3U);
    }
    enough = true;
    for (std::thread &waker : wakers)
        waker.join();
    EXPECT_TRUE(all_sleep(3));
}

TEST(sleepers, waking_nobody_changes_nothing) {
    ASSERT_EQ(sg_hear_pushes, 0U);
    sg_wake();
    EXPECT_EQ(sg_hear_pushes, 0U);
    const sleepy_workers two(2);
    EXPECT_TRUE(all_sleep(2)) << "no wake-up was kept for them";
}

// Each is counted before others see that it sleeps. Nothing is parked here.
TEST(sleepers, are_in_the_statistics) {
    const sleepy_workers three(3);
    constexpr unsigned wake_ups = 10;
    for (unsigned i = 0; i < wake_ups; ++i) {
        ASSERT_TRUE(all_sleep(3));
        sg_wake();
    }
    ASSERT_TRUE(all_sleep(3));
    EXPECT_GE(running()->statistics().sleeps, 2 + wake_ups);
    EXPECT_EQ(running()->statistics().parks, 0U);
}

// Whether somebody that sleeps has looked around `times` times: each time it asks the flow that
// runs, whose pop would answer.
bool are_looked_for(int times, const std::function<void()> &meanwhile) {
    deque &mine = *current_deque();
    return comes_true([&] {
        meanwhile();
        if (mine.request.waits()) {
            const std::lock_guard guard(mine.lock);
            mine.answer(mine.slots());
            --times;
        }
        return times == 0;
    });
}

// While something runs a sleeper looks around every few milliseconds. Signals that come faster than
// that, as a profiler's do, must not keep it from it: each begins the nap anew if it is a span.
TEST(sleepers, nap_no_longer_under_a_storm_of_signals) {
    struct sigaction ignoring{};
    ignoring.sa_handler = [](int) {};
    struct sigaction former{};
    ASSERT_EQ(sigaction(SIGUSR1, &ignoring, &former), 0);
    // Ends with the workers: a signal may still be on its way to one of them.
    const auto put_back = [](const struct sigaction *action) {
        sigaction(SIGUSR1, action, nullptr);
    };
    const std::unique_ptr<struct sigaction, decltype(put_back)> handled(&former, put_back);
    const sleepy_workers two(2);
    ASSERT_TRUE(all_sleep(2));
    const bool looked_around = run([&] {
        std::atomic<pthread_t> sleeper{};
        // It comes to know of the run, and says who it is.
        parallel_invoke([&] { comes_true([&] { return sleeper != 0; }); },
                        [&] { sleeper = pthread_self(); });
        return sleepers_are(1) && are_looked_for(12, [&] {
                   pthread_kill(sleeper, SIGUSR1);
                   std::this_thread::sleep_for(500us);
               });
    });
    EXPECT_TRUE(looked_around);
}

// Of many that sleep while something runs, one looks around, not each: the others sleep until they
// are woken. Besides them, the thread that has entered looks after its own root.
TEST(sleepers, look_around_for_one_another) {
    const sleepy_workers many(16);
    ASSERT_TRUE(all_sleep(16));
    const std::thread::id entered = std::this_thread::get_id();
    run([=] {
        meeting m(16);
        meet_in_loop(m, 16); // all come to know of the run
        ASSERT_TRUE(m.all_came());
        ASSERT_TRUE(sleepers_are(15));
        // Whichever thread came last to the end of the loop goes on here.
        const unsigned others = std::this_thread::get_id() == entered ? 14 : 13;
        const auto others_sleep_on = [others] {
            return comes_true([others] { return running()->deep_sleepers == others; });
        };
        ASSERT_TRUE(others_sleep_on());
        EXPECT_TRUE(are_looked_for(10, [] { std::this_thread::sleep_for(200us); }));
        EXPECT_TRUE(others_sleep_on());
        EXPECT_TRUE(sleepers_are(15));
    });
}

// Recursion that no compiler turns into a loop: some 4 MB of frames.
int descend(volatile char *above, int frames) {
    volatile char frame[1024];
    frame[0] = above[0];
    return frames == 0 ? 0 : descend(frame, frames - 1) + frame[0];
}

// The bytes of all stacks' frames that are in memory.
std::size_t resident_bytes() {
    std::size_t pages = 0;
    running()->stacks().for_each_mapped([&](stacks::stack &s) {
        std::vector<unsigned char> resident(running()->stacks().stack_bytes() /
                                            platform::page_size());
        EXPECT_EQ(mincore(s.low, resident.size() * platform::page_size(), resident.data()), 0);
        pages += static_cast<std::size_t>(std::count_if(
            resident.begin(), resident.end(), [](unsigned char each) { return each & 1; }));
    });
    return pages * platform::page_size();
}

TEST(sleepers, give_the_memory_of_stacks_back) {
    const sleepy_workers two(2);
    run([] {
        scope s;
        s.spawn([] {
            volatile char top = '\0';
            descend(&top, 4000);
        });
    });
    ASSERT_GE(resident_bytes(), std::size_t{4'000'000});
    EXPECT_TRUE(comes_true([] {
        std::this_thread::sleep_for(50ms);
        return resident_bytes() < std::size_t{100'000};
    }));
    // And then they sleep for ever.
    EXPECT_TRUE(comes_true([] { return test_support::sleeps.without_end == 1; }));
}

// Each level on a stack of its own, of which it uses a page and more.
void nest(int levels) {
    volatile char top = '\0';
    descend(&top, 30);
    if (levels == 0)
        return;
    scope s;
    s.spawn([=] { nest(levels - 1); });
    s.sync();
}

// Nobody is there to do so later. The most that may stay is what four stacks have used.
TEST(one_worker, keeps_little_memory_of_stacks_when_a_run_returns) {
    if (SG_ADDRESS_SANITIZER)
        GTEST_SKIP() << "frames lie elsewhere";
    const sleepy_workers one(1);
    constexpr int levels = 50;
    run([] { nest(levels); });
    // A stack's share: 30 frames of a kilobyte.
    constexpr std::size_t share = 64 * 1024;
    EXPECT_LT(resident_bytes(), 6 * share);
    std::this_thread::sleep_for(20ms);
    run([] {
        nest(levels);
        EXPECT_GT(resident_bytes(), std::size_t{30'000} * levels);
    });
    EXPECT_LT(resident_bytes(), 6 * share);
}

} // namespace
} // namespace saguaro::scheduler
