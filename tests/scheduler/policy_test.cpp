// SPDX-License-Identifier: MIT
// Tests of the steal policies and of how the runtime calls them.
#include "scheduler/policy.hpp"

#include "numa/near.hpp"
#include "platform/cpus.hpp"
#include "saguaro/parallel_invoke.hpp"
#include "saguaro/policy.h"
#include "saguaro/run.hpp"
#include "saguaro/scope.hpp"
#include "scheduler/runtime.hpp"
#include "support/death_style.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <stdexcept>
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
        EXPECT_EQ(policy->choose_victim(0, 0), -1);
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
                const int victim = policy->choose_victim(thief, 0);
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
            const int victim = policy->choose_victim(thief, 0);
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
    EXPECT_EQ(policy->choose_victim(0, 0), 1);
    EXPECT_EQ(policy->choose_victim(1, 0), 0);
    policy->stop();
    policy->start(1, {-1});
    EXPECT_EQ(policy->choose_victim(0, 0), -1);
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
    // `refuses`: the worker that does not start.
    explicit recording_policy(record &r, std::optional<unsigned> refuses = {})
        : record_(r), refuses_(refuses) {}
    ~recording_policy() override { record_.add(operation::destroyed, 0); }

    void start(unsigned workers, const std::vector<int> &cpus) override {
        record_.add(operation::start, workers);
        record_.cpus = cpus;
        uniform_->start(workers, cpus);
    }
    void start_worker(unsigned worker) override {
        if (worker == refuses_)
            throw std::runtime_error("refused");
        record_.add(operation::start_worker, worker);
    }
    int choose_victim(unsigned thief, unsigned failed) override {
        EXPECT_FALSE(chooses_[thief].exchange(true)) << "two threads for one thief";
        record_.add(operation::choose_victim, thief);
        const int victim = uniform_->choose_victim(thief, failed);
        chooses_[thief] = false;
        return victim;
    }
    void stop_worker(unsigned worker) override { record_.add(operation::stop_worker, worker); }
    void stop() override { record_.add(operation::stop, 0); }

private:
    record &record_;
    const std::optional<unsigned> refuses_;
    std::unique_ptr<steal_policy> uniform_ = make_uniform_policy();
    std::array<std::atomic<bool>, 1024> chooses_{};
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
    run([&] {
        std::atomic<bool> taken{false};
        parallel_invoke(
            [&] {
                while (!taken)
                    std::this_thread::yield();
            },
            [&] {
                taken = true;
                r.wait_until_all_have_chosen(workers);
            });
    });
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
        if (e.what != operation::choose_victim)
            EXPECT_EQ(is_mine(e), e.what == operation::start || e.what == operation::stop ||
                                      e.what == operation::destroyed || e.worker == 0);

    // A thread that wakes may find another worker free than the one that it had last.
    std::set<std::thread::id> of_workers;
    for (unsigned w = 0; w < workers; ++w)
        for (const std::size_t start : r.places(operation::start_worker, w))
            of_workers.insert(r.events[start].thread);
    EXPECT_EQ(of_workers.size(), workers);
    for (unsigned w = 0; w < workers; ++w) {
        const auto starts = r.places(operation::start_worker, w);
        const auto choices = r.places(operation::choose_victim, w);
        const auto stops = r.places(operation::stop_worker, w);
        ASSERT_EQ(starts.size(), 1U);
        ASSERT_EQ(stops.size(), 1U);
        ASSERT_FALSE(choices.empty()) << "a worker without work tries somebody";
        EXPECT_LT(starts.front(), choices.front());
        EXPECT_LT(choices.back(), stops.front());
        EXPECT_EQ(r.events[stops.front()].thread, r.events[starts.front()].thread);
        for (const std::size_t choice : choices)
            EXPECT_EQ(of_workers.count(r.events[choice].thread), 1U);
        EXPECT_TRUE(runs_on.count(w) == 0 || of_workers.count(runs_on[w]) == 1);
    }
}

// What has started is stopped, by its thread, whichever worker cannot start.
TEST(policy_calls, are_complete_where_a_worker_cannot_start) {
    constexpr unsigned workers = 3;
    for (unsigned refused = 0; refused < workers; ++refused) {
        record r;
        ASSERT_EQ(start_with(quiet(workers), std::make_unique<recording_policy>(r, refused)),
                  EAGAIN);
        for (unsigned w = 0; w < workers; ++w) {
            const auto starts = r.places(operation::start_worker, w);
            const auto stops = r.places(operation::stop_worker, w);
            ASSERT_EQ(starts.size(), w == refused ? 0U : 1U);
            ASSERT_EQ(stops.size(), starts.size());
            if (w != refused)
                EXPECT_EQ(r.events[stops.front()].thread, r.events[starts.front()].thread);
        }
        ASSERT_EQ(r.events.size(), 1U + 2 * (workers - 1) + 2);
        EXPECT_EQ(r.events.front().what, operation::start);
        EXPECT_EQ(r.events[r.events.size() - 2].what, operation::stop);
        EXPECT_EQ(r.events.back().what, operation::destroyed);
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
    s.pin = pinning::none;
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
        int choose_victim(unsigned, unsigned) override { return -1; }
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

// Notes which threads start the workers, and in which order they are started and stopped.
class homeless_policy final : public steal_policy {
public:
    struct notes {
        std::mutex lock; // guards the rest
        std::set<std::thread::id> starters;
        unsigned started = 0, stopped = 0;
    };

    homeless_policy(notes &to, bool anywhere, unsigned refuses = 100)
        : notes_(to), anywhere_(anywhere), refuses_(refuses) {}

    void start(unsigned, const std::vector<int> &) override {}
    bool may_start_elsewhere() const override { return anywhere_; }
    void start_worker(unsigned worker) override {
        if (worker == refuses_)
            throw std::runtime_error("refused");
        const std::lock_guard guard(notes_.lock);
        notes_.starters.insert(std::this_thread::get_id());
        ++notes_.started;
    }
    int choose_victim(unsigned, unsigned) override { return -1; }
    void stop_worker(unsigned) override {
        const std::lock_guard guard(notes_.lock);
        ++notes_.stopped;
    }
    void stop() override {}

private:
    notes &notes_;
    const bool anywhere_;
    const unsigned refuses_;
};

// How many threads start so many workers.
std::size_t starters(unsigned workers, bool anywhere) {
    homeless_policy::notes seen;
    EXPECT_EQ(start_with(quiet(workers), std::make_unique<homeless_policy>(seen, anywhere)), 0);
    EXPECT_EQ(run([] { return 1; }), 1);
    EXPECT_EQ(sg_stop(), 0);
    EXPECT_EQ(seen.started, workers);
    EXPECT_EQ(seen.stopped, workers);
    return seen.starters.size();
}

// Else it would wait until the system lets the others run.
TEST(policy_calls, who_starts_few_workers_builds_them) {
    const bool is_near = numa::node_count() == 1;
    EXPECT_EQ(starters(4, true), is_near ? 1U : 4U);
    EXPECT_EQ(starters(4, false), 4U);
    EXPECT_EQ(starters(30, true), 30U);
}

TEST(policy_calls, workers_that_are_built_are_stopped_if_one_is_refused) {
    for (const bool anywhere : {true, false}) {
        homeless_policy::notes seen;
        EXPECT_EQ(start_with(quiet(4), std::make_unique<homeless_policy>(seen, anywhere, 2)),
                  EAGAIN);
        EXPECT_EQ(seen.stopped, seen.started);
        EXPECT_EQ(running(), nullptr);
    }
}

// ---- A program's own ----

// Whether the operations came in order, once each where that is promised.
struct own_policy {
    unsigned workers = 0;
    int first_cpu = -2;
    std::atomic<unsigned> started{0};
    std::atomic<unsigned> stopped{0};
    std::atomic<unsigned> choices{0};
    std::atomic<bool> has_begun_anew{false}; // behind a steal
    bool is_over = false;
    int gives = -2; // or the next worker
};

sg_policy operations_of(own_policy &p) {
    sg_policy is{};
    is.context = &p;
    is.start = [](void *context, unsigned workers, const int *cpus) {
        auto &me = *static_cast<own_policy *>(context);
        me.workers = workers;
        me.first_cpu = cpus[0];
    };
    is.start_worker = [](void *context, unsigned) {
        ++static_cast<own_policy *>(context)->started;
    };
    is.choose_victim = [](void *context, unsigned thief, unsigned failed) {
        auto &me = *static_cast<own_policy *>(context);
        if (me.choices++ > me.workers && failed == 0)
            me.has_begun_anew = true;
        return me.gives != -2 ? me.gives : static_cast<int>((thief + 1) % me.workers);
    };
    is.stop_worker = [](void *context, unsigned) { ++static_cast<own_policy *>(context)->stopped; };
    is.stop = [](void *context) { static_cast<own_policy *>(context)->is_over = true; };
    return is;
}

TEST(own_policies, choose_the_victims) {
    own_policy mine;
    const sg_policy is = operations_of(mine);
    sg_options options{};
    options.workers = 3;
    ASSERT_EQ(sg_start_with_policy(&options, &is), 0);
    while (!mine.has_begun_anew)
        run([] {
            parallel_invoke([] { std::this_thread::sleep_for(std::chrono::microseconds(300)); },
                            [] { std::this_thread::sleep_for(std::chrono::microseconds(300)); });
        });
    EXPECT_EQ(sg_stop(), 0);
    EXPECT_EQ(mine.workers, 3U);
    EXPECT_GE(mine.first_cpu, -1);
    EXPECT_EQ(mine.started, 3U);
    EXPECT_EQ(mine.stopped, 3U);
    EXPECT_TRUE(mine.is_over);
}

TEST(own_policies, need_no_more_than_a_choice) {
    sg_policy is{};
    is.choose_victim = [](void *, unsigned thief, unsigned) { return thief == 0 ? 1 : 0; };
    sg_options options{};
    options.workers = 2;
    ASSERT_EQ(sg_start_with_policy(&options, &is), 0);
    run([] {});
    EXPECT_EQ(sg_stop(), 0);
}

TEST(own_policies, that_cannot_choose_are_refused_with_a_line) {
    const sg_policy empty{};
    for (const sg_policy *const is : {static_cast<const sg_policy *>(nullptr), &empty}) {
        testing::internal::CaptureStderr();
        EXPECT_EQ(sg_start_with_policy(nullptr, is), EINVAL);
        EXPECT_EQ(testing::internal::GetCapturedStderr(),
                  "saguaro: sg_start_with_policy: a policy has at least choose_victim; here it is "
                  "null\n");
    }
}

using own_policies_death = testing::Test;

TEST(own_policies_death, a_victim_that_there_is_not_ends_the_program) {
    test::use_threadsafe_style();
    for (const int wrong : {1, 3, -2000, 1'000'000}) // 1: itself, at worker 1
        EXPECT_EXIT(
            {
                own_policy mine;
                mine.gives = wrong;
                const sg_policy is = operations_of(mine);
                sg_options options{};
                options.workers = 3;
                sg_start_with_policy(&options, &is);
                run([] { std::this_thread::sleep_for(std::chrono::seconds(60)); });
            },
            testing::ExitedWithCode(2),
            "choose_victim for worker [12] gave " + std::to_string(wrong) +
                ": it may give -1 or another worker, of 0 to 2");
}

TEST(distances, between_processors_are_those_of_the_topology) {
    const std::vector<int> cpus = platform::allowed_cpus();
    const platform::topology here = platform::topology::load();
    for (const int a : cpus)
        for (const int b : cpus)
            EXPECT_EQ(sg_distance(a, b), here.distance(a, b));
    EXPECT_EQ(sg_distance(cpus.front(), 1 << 20), platform::nothing_known);
}

} // namespace
} // namespace saguaro::scheduler
