// SPDX-License-Identifier: MIT
#include "scheduler/policy.hpp"

#include "platform/cpus.hpp"
#include "saguaro/parallel_invoke.hpp"
#include "saguaro/run.hpp"
#include "saguaro/scope.hpp"
#include "scheduler/runtime.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace saguaro::scheduler {
namespace {

// ---- uniform ----

TEST(uniform, alone_there_is_nobody_to_try) {
    const auto policy = make_uniform_policy();
    policy->start(1, {-1});
    policy->start_worker(0);
    for (int i = 0; i < 10; ++i)
        EXPECT_EQ(policy->choose_victim(0), -1);
    policy->stop_worker(0);
    policy->stop();
}

// Pearson's statistic of the victims over the others: for f degrees of freedom it has the mean f
// and the variance 2 f, so six deviations are out of the question for an even choice.
TEST(uniform, each_other_worker_is_as_likely) {
    for (const unsigned workers : {2U, 3U, 5U, 8U, 64U}) {
        const auto policy = make_uniform_policy();
        policy->start(workers, std::vector<int>(workers, -1));
        for (const unsigned thief : {0U, workers / 2, workers - 1}) {
            const unsigned draws = 2000 * (workers - 1);
            std::vector<unsigned> seen(workers, 0);
            for (unsigned i = 0; i < draws; ++i) {
                const int victim = policy->choose_victim(thief);
                ASSERT_GE(victim, 0);
                ASSERT_LT(victim, static_cast<int>(workers));
                ++seen[static_cast<unsigned>(victim)];
            }
            EXPECT_EQ(seen[thief], 0U) << "nobody robs itself";
            const double expected = static_cast<double>(draws) / (workers - 1);
            double statistic = 0;
            for (unsigned v = 0; v < workers; ++v)
                if (v != thief)
                    statistic += (seen[v] - expected) * (seen[v] - expected) / expected;
            const double freedom = workers - 2;
            EXPECT_LE(statistic, freedom + 6 * std::sqrt(2 * freedom))
                << "thief " << thief << " of " << workers;
        }
        policy->stop();
    }
}

// No pattern that two thieves share, and none that one repeats after a few draws.
TEST(uniform, thieves_go_their_own_ways) {
    const auto policy = make_uniform_policy();
    policy->start(9, std::vector<int>(9, -1));
    // In a world of the other eight: both draw from the same numbers.
    const auto draws = [&](unsigned thief) {
        std::vector<int> drawn(64);
        for (int &each : drawn) {
            const int victim = policy->choose_victim(thief);
            each = victim > static_cast<int>(thief) ? victim - 1 : victim;
        }
        return drawn;
    };
    std::vector<std::vector<int>> all;
    for (unsigned thief = 0; thief < 9; ++thief)
        for (int part = 0; part < 4; ++part)
            all.push_back(draws(thief));
    std::sort(all.begin(), all.end());
    EXPECT_EQ(std::adjacent_find(all.begin(), all.end()), all.end());
    policy->stop();
}

TEST(uniform, a_second_start_counts) {
    const auto policy = make_uniform_policy();
    policy->start(2, {-1, -1});
    EXPECT_EQ(policy->choose_victim(0), 1);
    EXPECT_EQ(policy->choose_victim(1), 0);
    policy->stop();
    policy->start(1, {-1});
    EXPECT_EQ(policy->choose_victim(0), -1);
    policy->stop();
}

// ---- How the runtime calls a policy ----

enum class operation { start, start_worker, choose_victim, stop_worker, stop, destroyed };

struct event {
    operation what;
    unsigned worker; // or how many
    std::thread::id thread;
};

struct record {
    std::mutex lock;
    std::vector<event> events;
    std::vector<int> cpus;

    void add(operation what, unsigned worker) {
        const std::lock_guard guard(lock);
        events.push_back({what, worker, std::this_thread::get_id()});
    }

    // A worker whose thread has not had a processor yet has not done anything.
    void wait_until_all_have_chosen(unsigned workers) {
        for (unsigned w = 0; w < workers; ++w)
            for (bool chosen = false; !chosen; std::this_thread::yield()) {
                const std::lock_guard guard(lock);
                chosen = !places(operation::choose_victim, w).empty();
            }
    }

    // Where the events of this kind stand, for one worker. Once all is quiet, or with the lock.
    std::vector<std::size_t> places(operation what, unsigned worker) const {
        std::vector<std::size_t> found;
        for (std::size_t i = 0; i < events.size(); ++i)
            if (events[i].what == what && events[i].worker == worker)
                found.push_back(i);
        return found;
    }
};

// Steals as `uniform` and notes everything.
class recording_policy final : public steal_policy {
public:
    explicit recording_policy(record &r) : record_(r) {}
    ~recording_policy() override { record_.add(operation::destroyed, 0); }

    void start(unsigned workers, const std::vector<int> &cpus) override {
        record_.add(operation::start, workers);
        record_.cpus = cpus;
        uniform_->start(workers, cpus);
    }
    void start_worker(unsigned worker) override { record_.add(operation::start_worker, worker); }
    int choose_victim(unsigned thief) override {
        record_.add(operation::choose_victim, thief);
        return uniform_->choose_victim(thief);
    }
    void stop_worker(unsigned worker) override { record_.add(operation::stop_worker, worker); }
    void stop() override { record_.add(operation::stop, 0); }

private:
    record &record_;
    std::unique_ptr<steal_policy> uniform_ = make_uniform_policy();
};

settings quiet(unsigned workers) {
    settings s = settings_from_environment();
    s.workers = workers;
    s.spin_ns = 0;
    return s;
}

TEST(policy_calls, come_in_the_order_and_from_the_threads_that_are_promised) {
    constexpr unsigned workers = 3;
    record r;
    ASSERT_EQ(start_with(quiet(workers), std::make_unique<recording_policy>(r)), 0);
    std::map<unsigned, std::thread::id> runs_on; // which thread is which worker
    std::mutex lock;
    for (int i = 0; i < 20; ++i)
        run([&] {
            scope s;
            for (int j = 0; j < 50; ++j)
                s.spawn([&] {
                    const std::lock_guard guard(lock);
                    runs_on[static_cast<unsigned>(worker_id())] = std::this_thread::get_id();
                });
            s.sync();
        });
    // This thread is worker 0 while its runs are under way: it looks for work while it waits for
    // what was taken.
    run([] {
        std::atomic<bool> taken{false};
        parallel_invoke(
            [&] {
                while (!taken)
                    std::this_thread::yield();
            },
            [&] {
                taken = true;
                std::this_thread::sleep_for(std::chrono::milliseconds(20));
            });
    });
    r.wait_until_all_have_chosen(workers);
    ASSERT_EQ(sg_stop(), 0);

    // start ... stop, destroyed, all by this thread; nothing of the workers before or after.
    ASSERT_GE(r.events.size(), 3U + 2 * workers);
    const auto is_mine = [&](const event &e) { return e.thread == std::this_thread::get_id(); };
    EXPECT_EQ(r.events.front().what, operation::start);
    EXPECT_EQ(r.events.front().worker, workers);
    EXPECT_EQ(r.events[r.events.size() - 2].what, operation::stop);
    EXPECT_EQ(r.events.back().what, operation::destroyed);
    EXPECT_TRUE(is_mine(r.events.front()) && is_mine(r.events.back()));
    for (const event &e : r.events)
        EXPECT_EQ(is_mine(e), e.what == operation::start || e.what == operation::stop ||
                                  e.what == operation::destroyed || e.worker == 0);

    for (unsigned w = 0; w < workers; ++w) {
        const auto starts = r.places(operation::start_worker, w);
        const auto choices = r.places(operation::choose_victim, w);
        const auto stops = r.places(operation::stop_worker, w);
        ASSERT_EQ(starts.size(), 1U);
        ASSERT_EQ(stops.size(), 1U);
        ASSERT_FALSE(choices.empty()) << "a worker without work tries somebody";
        EXPECT_LT(starts.front(), choices.front());
        EXPECT_LT(choices.back(), stops.front());
        const std::thread::id thread = r.events[starts.front()].thread;
        for (const event &e : r.events)
            EXPECT_TRUE(e.what == operation::start || e.what == operation::stop ||
                        e.what == operation::destroyed || e.worker != w || e.thread == thread);
        EXPECT_TRUE(runs_on.count(w) == 0 || runs_on[w] == thread);
        for (unsigned other = 0; other < w; ++other)
            EXPECT_NE(r.events[r.places(operation::start_worker, other).front()].thread, thread);
    }
}

TEST(policy_calls, tell_the_processors) {
    const std::vector<int> allowed = platform::allowed_cpus();
    const auto count = static_cast<unsigned>(allowed.size());
    const auto cpus_of = [](const settings &s) {
        record r;
        EXPECT_EQ(start_with(s, std::make_unique<recording_policy>(r)), 0);
        EXPECT_EQ(sg_stop(), 0);
        return r.cpus;
    };
    settings s = quiet(count);
    s.pin = pinning::always;
    // The first is where the thread runs that starts them.
    std::vector<int> cpus = cpus_of(s);
    std::sort(cpus.begin(), cpus.end());
    EXPECT_EQ(cpus, allowed);
    s.pin = pinning::never;
    EXPECT_EQ(cpus_of(s), std::vector<int>(count, -1));
    s.pin = pinning::always;
    s.workers = 1;
    EXPECT_EQ(cpus_of(s), std::vector<int>{allowed.front()});
    // More workers than processors: the kernel places them.
    s.workers = count + 1;
    EXPECT_EQ(cpus_of(s), std::vector<int>(count + 1, -1));
}

// A policy that never chooses anybody keeps all work where it is.
TEST(policy_calls, nobody_chosen_is_nobody_robbed) {
    class pacifist final : public steal_policy {
    public:
        void start(unsigned, const std::vector<int> &) override {}
        void start_worker(unsigned) override {}
        int choose_victim(unsigned) override { return -1; }
        void stop_worker(unsigned) override {}
        void stop() override {}
    };
    ASSERT_EQ(start_with(quiet(3), std::make_unique<pacifist>()), 0);
    run([] {
        const int here = worker_id();
        scope s;
        for (int i = 0; i < 200; ++i)
            s.spawn([here] {
                std::this_thread::sleep_for(std::chrono::microseconds(20));
                EXPECT_EQ(worker_id(), here);
            });
        s.sync();
    });
    EXPECT_EQ(stats().steals, 0U);
    EXPECT_EQ(stats().tries, 0U);
    EXPECT_EQ(sg_stop(), 0);
}

} // namespace
} // namespace saguaro::scheduler
