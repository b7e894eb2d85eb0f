// SPDX-License-Identifier: MIT
// Workers that sleep are woken: by a run from outside, by each construct's push, by each other. A
// task here waits for somebody to come, so that a wake-up that is lost shows as a long wait.
#include "scheduler/idle.hpp"

#include "platform/arch.hpp"
#include "platform/clock.hpp"
#include "platform/fence.hpp"
#include "platform/memory.hpp"
#include "saguaro/detail/sanitizers.h"
#include "saguaro/parallel_for.hpp"
#include "saguaro/parallel_invoke.hpp"
#include "saguaro/scope.hpp"
#include "scheduler/runtime.hpp"
#include "support/fib_clones.h"

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
#include <time.h>
#include <utility>
#include <vector>

namespace saguaro::scheduler {
namespace {

using namespace std::chrono_literals;
using clock = std::chrono::steady_clock;

// Nobody waits longer than this for anything.
constexpr clock::duration patience = 5s;
// What a helper may take to come, now and then: the machine may be busy with something else, or
// emulated. Far less than an alarm that nobody heeds.
constexpr clock::duration soon = 500ms;

// False if it did not become true in time.
template <class Condition>
bool wait_until(Condition condition) {
    for (const clock::time_point deadline = clock::now() + patience; !condition(); sched_yield())
        if (clock::now() > deadline)
            return false;
    return true;
}

bool sleepers_are(unsigned count) {
    return wait_until([=] { return running()->seating().sleepers() == count; });
}

// Those of the runtime's threads that sleep when nothing runs: one fewer than there are workers.
bool all_sleep(unsigned workers) {
    return sleepers_are(workers - 1);
}

// Workers that go to sleep as soon as they find nothing.
class sleepy_workers {
public:
    explicit sleepy_workers(unsigned workers) {
        settings s = settings_from_environment();
        s.workers = workers;
        s.spin_ns = 0;
        EXPECT_EQ(start_with(s, make_uniform_policy()), 0);
    }
    ~sleepy_workers() {
        EXPECT_EQ(sg_stop(), 0);
        EXPECT_EQ(sg_hear_pushes, 0U);
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
        if (wait_until([this] { return here_ >= parties_; }))
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

// The others sleep, some with an alarm and some without, when the work comes that needs them all.
TEST_P(wake_ups, none_is_lost) {
    const auto [name, meet, count] = GetParam();
    const sleepy_workers workers(count);
    int slow = 0;
    constexpr int rounds = 200;
    for (int i = 0; i < rounds; ++i) {
        ASSERT_TRUE(all_sleep(count)) << "nothing to do, yet somebody is awake";
        meeting m(static_cast<int>(count));
        const clock::time_point begin = clock::now();
        run([&, parties = static_cast<int>(count)] {
            // In every other round one that was woken on entering sleeps again.
            if (i % 2 == 0)
                all_sleep(count);
            meet(m, parties);
        });
        slow += clock::now() - begin > soon;
        ASSERT_TRUE(m.all_came()) << "round " << i;
    }
    EXPECT_LE(slow, rounds / 10);
}

constexpr wake_up_case wake_up_cases[] = {
    {"invoke_2", meet_in_invoke, 2}, {"scope_2", meet_in_scope, 2}, {"loop_2", meet_in_loop, 2},
    {"invoke_5", meet_in_invoke, 5}, {"scope_5", meet_in_scope, 5}, {"loop_5", meet_in_loop, 5}};

INSTANTIATE_TEST_SUITE_P(idle, wake_ups, testing::ValuesIn(wake_up_cases),
                         [](const auto &each) { return std::string(each.param.name); });

// C clones do not look for sleepers when they push; they are helped all the same, by everybody.
// How many of `rounds` runs on `count` workers that all sleep have to wait for the others' help.
int slow_rounds(unsigned count, int rounds) {
    const sleepy_workers workers(count);
    int slow = 0;
    for (int i = 0; i < rounds; ++i) {
        EXPECT_TRUE(all_sleep(count));
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
            const clock::time_point begin = clock::now();
            // The flow may go to another worker, but then that one has stolen.
            EXPECT_TRUE(wait_until(all_have_helped)) << "round " << i << " of " << count;
            slow += clock::now() - begin > soon;
        });
    }
    return slow;
}

TEST(c_clones, are_helped_by_all_who_slept) {
    constexpr int rounds = 50;
    for (const unsigned count : {2U, 4U}) {
        // Four workers on two processors take turns.
        const int allowed = count == 2 ? rounds / 10 : rounds / 2;
        // Wake-ups that get lost make every attempt slow; a machine that others use does not.
        int slow = rounds;
        for (int attempt = 0; attempt < 4 && slow > allowed; ++attempt)
            slow = slow_rounds(count, rounds);
        EXPECT_LE(slow, allowed);
    }
}

// A flow that has asked at many pops in vain does not expect thieves any more, nor does its
// worker's chain. When it wakes one both do: that thief shall not have to ask for what it was woken
// for, nor to fence.
TEST(slots, are_public_when_a_push_wakes_somebody) {
    const sleepy_workers two(2);
    if (!platform::fence_is_asymmetric())
        GTEST_SKIP() << "every pop asks: slots are always public";
    int expected = 0;
    constexpr int rounds = 50;
    for (int i = 0; i < rounds; ++i)
        run([&] {
            ASSERT_TRUE(sleepers_are(1));
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
    // The sleeper's own alarm may have come first.
    EXPECT_GE(expected, rounds / 5);
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
    if (!slack_of_worker())
        GTEST_SKIP() << "the system does not say what slack a thread has";
    const int usual = prctl(PR_GET_TIMERSLACK);
    EXPECT_NE(usual, 1) << "nothing to see";
    run([usual] {
        EXPECT_TRUE(wait_until([] { return slack_of_worker() == 1; }));
        // What a task makes has the slack that it would have elsewhere.
        std::atomic<int> in_task = 0;
        parallel_invoke([&] { EXPECT_TRUE(wait_until([&] { return in_task != 0; })); },
                        [&] { in_task = prctl(PR_GET_TIMERSLACK); });
        EXPECT_EQ(in_task, usual);
    });
}

// Who wakes a sleeper takes it off the count at once. So without looking at a clock: when a push
// has been made the sleeper is no longer counted, and has not been left to its next alarm.
class pushes : public testing::TestWithParam<std::pair<const char *, bool (*)()>> {
protected:
    static bool nobody_sleeps() { return running()->seating().sleepers() == 0; }

public:
    static bool of_invoke() {
        bool woken = false;
        parallel_invoke([&] { woken = nobody_sleeps(); }, [] {});
        return woken;
    }
    static bool of_scope() {
        bool woken = false;
        scope s;
        s.spawn([&] { woken = nobody_sleeps(); });
        s.sync();
        return woken;
    }
    static bool of_loop() {
        bool woken = false;
        parallel_for(0, 2, [&](int i) {
            if (i == 0)
                woken = nobody_sleeps();
        });
        return woken;
    }
    // A clone's first pop asks.
    static bool of_clones() {
        test_fib(5);
        return nobody_sleeps();
    }
};

TEST_P(pushes, wake_a_sleeper_at_once) {
    const sleepy_workers two(2);
    int woken = 0;
    constexpr int rounds = 300;
    for (int i = 0; i < rounds; ++i)
        run([&] {
            ASSERT_TRUE(sleepers_are(1));
            woken += GetParam().second();
        });
    // Its own alarm may have come first, the oftener the busier the machine is. Without the wake-up
    // none of the rounds succeeds.
    EXPECT_GE(woken, rounds / 2);
}

INSTANTIATE_TEST_SUITE_P(idle, pushes,
                         testing::Values(std::pair("invoke", &pushes::of_invoke),
                                         std::pair("scope", &pushes::of_scope),
                                         std::pair("loop", &pushes::of_loop),
                                         std::pair("clones", &pushes::of_clones)),
                         [](const auto &each) { return std::string(each.param.first); });

// A task that needs the other worker while its thread falls asleep. A rescuer wakes it if nobody
// else did. (The look around before the sleep and the alarm while something runs each make up for
// the other: only without both is a run lost, once in some ten thousand.)
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

// Two workers, of which one spins all the time beside what the other does.
class thieves : public testing::Test {
protected:
    void SetUp() override {
#if SG_THREAD_SANITIZER || SG_ADDRESS_SANITIZER || defined(SG_TEST_EMULATED)
        GTEST_SKIP() << "a loop takes so long that thieves see nothing most of the time";
#endif
        // The least of some: the host may take the processor away meanwhile.
        constexpr int times = 100;
        rest_ = 1h;
        for (int part = 0; part < 10; ++part) {
            const clock::time_point before = clock::now();
            for (unsigned i = 0; i < times * looks::longest; ++i)
                platform::cpu_relax();
            rest_ = std::min<std::chrono::nanoseconds>(rest_, (clock::now() - before) / times);
        }
        if (rest_ < 200ns)
            GTEST_SKIP() << "this processor has nothing to rest by";
        settings s = settings_from_environment();
        s.workers = 2;
        s.spin_ns = std::chrono::nanoseconds(1min).count();
        ASSERT_EQ(start_with(s, make_uniform_policy()), 0);
    }
    void TearDown() override { EXPECT_EQ(sg_stop(), 0); }

    // How often the thief looks meanwhile, for each of its longest rests in this time. now(): of
    // which clock.
    template <class Work, class Now>
    double looks_per_rest(Work work, Now now) const {
        const std::uint64_t tries = running()->statistics().tries;
        const std::chrono::duration<double> before = now();
        work();
        const std::chrono::duration<double> taken = now() - before;
        return static_cast<double>(running()->statistics().tries - tries) / (taken / rest_);
    }
    static std::chrono::duration<double> time() { return clock::now().time_since_epoch(); }
    // What the process had of processors, but for this thread.
    static std::chrono::duration<double> time_of_thief() {
        timespec all{};
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &all);
        return std::chrono::seconds(all.tv_sec) + std::chrono::nanoseconds(all.tv_nsec) -
               std::chrono::nanoseconds(platform::thread_ns());
    }

    // Each is over in a moment.
    static void run_loops() {
        constexpr unsigned loops = 100'000;
        unsigned runs = 0;
        for (unsigned i = 0; i < loops; ++i)
            parallel_for(0, 4, [&](int k) { runs += k == 0 ? 1 : 0; });
        EXPECT_EQ(runs, loops);
    }

private:
    std::chrono::nanoseconds rest_{};
};

// If it never rested it would look 12 to 17 times in such a rest. Several attempts, because the
// host may take a processor away.
TEST_F(thieves, look_seldom_at_work_that_is_gone_each_time) {
    double least = looks_per_rest(run_loops, time);
    for (int again = 0; again < 40 && least >= 4; ++again)
        least = std::min(least, looks_per_rest(run_loops, time));
    EXPECT_LT(least, 4);
}

TEST_F(thieves, look_often_again_when_there_is_nothing_to_see) {
    run_loops();
    const auto compute = [] {
        run([] {
            const clock::time_point begin = clock::now();
            while (clock::now() - begin < 50ms)
                continue;
        });
    };
    EXPECT_GT(looks_per_rest(compute, time_of_thief), 4);
}

TEST(sleepers, see_what_comes_while_they_fall_asleep) {
    const sleepy_workers two(2);
    std::atomic<int> round{0};
    std::atomic<int> rescued{0};
    std::atomic<bool> over{false};
    std::thread rescuer([&] {
        while (!over) {
            const int seen = round;
            if (!wait_until([&] {
                    std::this_thread::sleep_for(1ms);
                    return over || round != seen;
                })) {
                ++rescued;
                sg_wake();
            }
        }
    });
    std::minstd_rand random(11);
    while (round < 5'000 && rescued == 0) {
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

TEST(sleepers, all_wake_for_the_end) {
    for (int i = 0; i < 20; ++i) {
        const sleepy_workers many(8);
        EXPECT_TRUE(all_sleep(8));
        const clock::time_point begin = clock::now();
        EXPECT_EQ(sg_stop(), 0);
        EXPECT_LT(clock::now() - begin, patience);
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
    return wait_until([&] {
        meanwhile();
        if (mine.waits_for_answer()) {
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
        parallel_invoke([&] { wait_until([&] { return sleeper != 0; }); },
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
            return wait_until([others] { return running()->deep_sleepers == others; });
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
    EXPECT_TRUE(wait_until([] {
        std::this_thread::sleep_for(50ms);
        return resident_bytes() < std::size_t{100'000};
    }));
    // And then they sleep for ever: on a busy machine it takes them some time to begin.
    EXPECT_TRUE(wait_until([] {
        const std::uint64_t sleeps = running()->statistics().sleeps;
        std::this_thread::sleep_for(100ms);
        return running()->statistics().sleeps == sleeps;
    }));
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
