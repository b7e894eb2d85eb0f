// SPDX-License-Identifier: MIT
// What a run tells its observer, in which order and on which worker.
#include "scheduler/observer.hpp"

#include "saguaro/parallel_for.hpp"
#include "saguaro/parallel_invoke.hpp"
#include "saguaro/scope.hpp"
#include "scheduler/runtime.hpp"
#include "support/another_worker.hpp"
#include "support/fib_clones.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <sched.h>
#include <set>
#include <string>
#include <vector>

namespace saguaro::scheduler {
namespace {

// The observer that the next runtime makes is `next_observer`, which a test builds.
std::unique_ptr<observer> next_observer;

std::unique_ptr<observer> make_next(const settings &) {
    return std::move(next_observer);
}

constexpr observer_kind of_spawns{"test", true, nullptr, nullptr, make_next, nullptr};
constexpr observer_kind of_workers{"test", false, nullptr, nullptr, make_next, nullptr};

// Workers that a new T observes.
template <class T>
class observed {
public:
    observed(const observer_kind &kind, unsigned workers) {
        auto made = std::make_unique<T>();
        seen = made.get();
        next_observer = std::move(made);
        observe_with(&kind);
        settings s = settings_from_environment();
        s.workers = workers;
        s.spin_ns = 0;
        EXPECT_EQ(start_with(s, make_uniform_policy()), 0);
    }
    ~observed() {
        stop();
        observe_with(nullptr);
    }
    observed(const observed &) = delete;
    observed &operator=(const observed &) = delete;

    // What has been seen is gone then.
    void stop() { EXPECT_EQ(sg_stop(), 0); }

    T *seen;
};

// ---- Each spawn, in serial order ----

// Writes down what it hears, and what the program says in between.
class scribe final : public spawn_observer {
public:
    void root_begins(const worker &, const deque &) override { text += "root("; }
    void root_ends(const worker &) override { text += ")"; }

    void frame_pushed(sg_frame **slot) override {
        sg_frame *const frame = *slot;
        if (frame->site == &sg_range_site) {
            text += "loop(";
            loops.insert(slot);
            return;
        }
        text += "invoke(";
        sites.push_back(frame->site);
        closures[slot] = reinterpret_cast<detail::closure_frame *>(frame);
    }
    detail::closure_frame *popped(sg_frame **slot) override {
        if (loops.erase(slot) != 0) {
            text += ")";
            return nullptr;
        }
        text += "|";
        const auto found = closures.extract(slot);
        EXPECT_FALSE(found.empty());
        return found.mapped();
    }
    void invocation_ends(const void *) override { text += ")"; }
    std::uint64_t loop_goes_on(sg_frame **slot, std::uint64_t next, std::uint64_t end) override {
        EXPECT_TRUE(loops.contains(slot));
        text += "@" + std::to_string(next);
        return std::min(next + 2, end);
    }

    void parent_pushed(deque **slot, const detail::scope_record &s, bool is_new,
                       const void *site) override {
        EXPECT_EQ(is_new, scopes.insert(&s).second);
        sites.push_back(site);
        parents.push_back(*slot);
        text += "child(";
    }
    void child_ends(deque &parent, deque **) override {
        if (parents.empty()) { // its begin was not heard
            text += "?";
            return;
        }
        EXPECT_EQ(parents.back(), &parent);
        parents.pop_back();
        text += ")";
    }
    void scope_syncs(const detail::scope_record &s) override {
        EXPECT_TRUE(scopes.contains(&s));
        text += "sync ";
    }
    void scope_ends(const detail::scope_record &s) override {
        EXPECT_EQ(scopes.erase(&s), 1U);
        text += "end ";
    }

    void c_pop() override { text += "c"; }

    std::string text;
    std::vector<const void *> sites;

private:
    std::set<sg_frame **> loops;
    std::map<sg_frame **, detail::closure_frame *> closures;
    std::vector<const deque *> parents;
    std::set<const detail::scope_record *> scopes;
};

// What the scribe has written of body(say), which may say something itself.
std::string text_of(const std::function<void(const std::function<void(char)> &)> &body) {
    const observed<scribe> one(of_spawns, 1);
    std::string &text = one.seen->text;
    run([&] { body([&](char c) { text += c; }); });
    return text;
}

TEST(spawns, of_an_invocation_are_first_function_then_second) {
    EXPECT_EQ(text_of([](const auto &say) {
                  parallel_invoke([&] { say('a'); }, [&] { say('b'); });
                  say('c');
              }),
              "root(invoke(a|b)c)");
}

TEST(spawns, nest) {
    EXPECT_EQ(text_of([](const auto &say) {
                  const auto pair = [&] { parallel_invoke([&] { say('a'); }, [&] { say('b'); }); };
                  parallel_invoke(pair, pair);
              }),
              "root(invoke(invoke(a|b)|invoke(a|b)))");
}

TEST(spawns, of_a_scope_are_children_and_what_comes_after_them) {
    EXPECT_EQ(text_of([](const auto &say) {
                  scope s;
                  say('a');
                  s.spawn([&] { say('b'); });
                  say('c');
                  s.spawn([&] { parallel_invoke([&] { say('d'); }, [&] { say('e'); }); });
              }),
              "root(achild(b)cchild(invoke(d|e))sync end )");
}

TEST(spawns, of_a_loop_are_asked_for_where_the_observer_has_said) {
    EXPECT_EQ(text_of([](const auto &say) { parallel_for(0, 5, [&](int) { say('i'); }); }),
              "root(loop(i@1ii@3ii))");
}

TEST(spawns, have_the_site_of_their_place_in_the_program) {
    const observed<scribe> one(of_spawns, 1);
    run([] {
        scope s;
        for (int i = 0; i < 2; ++i)
            s.spawn([] {});
        s.spawn([] {});
        for (int i = 0; i < 2; ++i)
            parallel_invoke([] {}, [] {});
    });
    const std::vector<const void *> &all = one.seen->sites;
    ASSERT_EQ(all.size(), 5U);
    EXPECT_EQ(all[0], all[1]);
    EXPECT_NE(all[1], all[2]);
    EXPECT_NE(all[2], all[3]);
    EXPECT_EQ(all[3], all[4]);
}

TEST(spawns, of_plain_clones_are_pops) {
    const observed<scribe> one(of_spawns, 1);
    EXPECT_EQ(test_fib(5), 5);
    EXPECT_EQ(std::count(one.seen->text.begin(), one.seen->text.end(), 'c'), 7);
}

// The observer may be silent for a while. Ends are told all the same.
TEST(spawns, are_not_heard_while_the_observer_does_not_listen) {
    const observed<scribe> one(of_spawns, 1);
    run([] {
        scope s;
        spawn_observer::hear_pushes(false);
        s.spawn([] {});
        spawn_observer::hear_pushes(true);
        s.spawn([] {});
    });
    EXPECT_EQ(one.seen->text, "root(?child()sync end )");
}

// ---- Workers ----

// Notes what each worker does. All workers at the same time.
class chronicle final : public observer {
public:
    struct entry {
        std::string what;
        unsigned worker;
        const void *name;
    };

    void flow_runs(const worker &w, const deque &flow) override { note("runs", w, &flow); }
    void flow_leaves(const worker &w) override { note("leaves", w, nullptr); }
    void flow_parks(const worker &w, const deque &flow) override { note("parks", w, &flow); }
    void steals(const worker &thief, const worker &victim, const deque &from) override {
        EXPECT_NE(&thief, &victim);
        note("steals", thief, &from);
    }
    void arrives(const worker &w, const join &at, bool owner) override {
        note(owner ? "owner arrives" : "child arrives", w, &at);
    }
    void worker_sleeps(const worker &w) override { note("sleeps", w, nullptr); }
    void worker_wakes(const worker &w) override { note("wakes", w, nullptr); }

    // While nothing runs.
    std::vector<entry> of(const std::set<std::string> &kinds) {
        const std::lock_guard guard(lock_);
        std::vector<entry> some;
        std::copy_if(all_.begin(), all_.end(), std::back_inserter(some),
                     [&](const entry &e) { return kinds.contains(e.what); });
        return some;
    }

private:
    void note(const char *what, const worker &w, const void *name) {
        const std::lock_guard guard(lock_);
        all_.push_back({what, w.id, name});
    }

    std::mutex lock_;
    std::vector<entry> all_;
};

// The second function runs elsewhere, and ends before the first or after it.
void invoke_on_two(bool owner_waits) {
    std::atomic<bool> begun{false}, may_end{!owner_waits};
    parallel_invoke(
        [&] {
            while (!begun)
                sched_yield();
        },
        [&] {
            begun = true;
            while (!may_end)
                sched_yield();
        });
}

class workers : public testing::Test {
protected:
    observed<chronicle> two{of_workers, 2};
};

TEST_F(workers, tell_of_a_steal_and_of_both_arrivals) {
    run([] { invoke_on_two(false); });
    const auto runs = two.seen->of({"runs"});
    const auto steals = two.seen->of({"steals"});
    ASSERT_EQ(steals.size(), 1U);
    // The root's flow, which its worker has begun, is named again.
    ASSERT_GE(runs.size(), 2U);
    EXPECT_EQ(runs[0].name, steals[0].name);
    EXPECT_NE(runs[0].worker, steals[0].worker);
    EXPECT_EQ(runs[1].worker, steals[0].worker);
    const auto arrivals = two.seen->of({"owner arrives", "child arrives"});
    ASSERT_EQ(arrivals.size(), 2U);
    EXPECT_EQ(arrivals[0].name, arrivals[1].name);
}

// A parent that is stolen is the flow that runs next on the thief, under the same name.
TEST_F(workers, name_a_parent_that_goes_on_elsewhere) {
    run([] {
        std::atomic<bool> goes_on{false};
        scope s;
        s.spawn([&] {
            while (!goes_on)
                sched_yield();
        });
        goes_on = true;
    });
    const auto all = two.seen->of({"runs", "steals"});
    const auto steal =
        std::find_if(all.begin(), all.end(), [](const auto &e) { return e.what == "steals"; });
    ASSERT_NE(steal, all.end());
    const auto after = std::find_if(steal, all.end(), [&](const auto &e) {
        return e.what == "runs" && e.worker == steal->worker;
    });
    ASSERT_NE(after, all.end());
    EXPECT_EQ(after->name, steal->name);
}

TEST_F(workers, run_one_flow_at_a_time) {
    run([] {
        for (int i = 0; i < 20; ++i)
            invoke_on_two(false);
    });
    // One of them may be about to leave its last flow when the run has ended.
    std::map<unsigned, bool> busy;
    do {
        sched_yield();
        busy.clear();
        for (const auto &e : two.seen->of({"runs", "leaves"})) {
            EXPECT_NE(busy[e.worker], e.what == "runs");
            busy[e.worker] = e.what == "runs";
        }
    } while (busy[0] || busy[1]);
}

// A flow that waits is continued under its name by whichever worker the last strand was on.
TEST_F(workers, continue_a_flow_that_has_parked) {
    run([] {
        std::atomic<bool> begun{false};
        parallel_invoke(
            [&] {
                while (!begun)
                    sched_yield();
            },
            [&] {
                begun = true;
                // Until the first one's flow has parked.
                while (running()->statistics().parks == 0)
                    sched_yield();
            });
    });
    const auto all = two.seen->of({"runs", "parks", "owner arrives", "child arrives"});
    const auto find = [&](auto from, const char *what, const void *name) {
        return std::find_if(from, all.end(), [=](const auto &e) {
            return e.what == what && (name == nullptr || e.name == name);
        });
    };
    const auto parks = find(all.begin(), "parks", nullptr);
    ASSERT_NE(parks, all.end());
    const auto runs = find(parks, "runs", parks->name);
    ASSERT_NE(runs, all.end());
    // All have arrived before.
    EXPECT_LT(find(all.begin(), "owner arrives", nullptr), runs);
    EXPECT_LT(find(all.begin(), "child arrives", nullptr), runs);
}

TEST_F(workers, sleep_and_wake_by_turns) {
    for (int i = 0; i < 5; ++i) {
        while (running()->seating().sleepers() != 1)
            sched_yield();
        run([] { invoke_on_two(false); });
    }
    std::map<unsigned, bool> asleep;
    const auto all = two.seen->of({"sleeps", "wakes"});
    for (const auto &e : all) {
        EXPECT_NE(asleep[e.worker], e.what == "sleeps");
        asleep[e.worker] = e.what == "sleeps";
    }
    EXPECT_GE(all.size(), 10U);
}

TEST(observers, are_gone_when_the_workers_have_stopped) {
    observed<chronicle> two(of_workers, 2);
    EXPECT_EQ(observer::now(), two.seen);
    EXPECT_EQ(spawn_observer::now(), nullptr);
    two.stop();
    EXPECT_EQ(observer::now(), nullptr);
}

// Such a run has workers of its own, and no observer.
struct run_at_thread_end {
    void (*call)() = nullptr;
    ~run_at_thread_end() {
        if (call != nullptr)
            call();
    }
};
thread_local run_at_thread_end last_run_of_thread;

TEST(observers, stay_when_a_thread_that_ends_runs_something) {
    static const observer *seen_at_the_end;
    seen_at_the_end = nullptr;
    observed<chronicle> two(of_workers, 2);
    run([] {
        test::on_another_worker([] {
            last_run_of_thread.call = [] {
                run([] {});
                seen_at_the_end = observer::now();
            };
        });
    });
    const observer *const mine = two.seen;
    two.stop();
    EXPECT_EQ(seen_at_the_end, mine);
}

TEST(observers, are_none_by_default) {
    EXPECT_EQ(sg_start(nullptr), 0);
    EXPECT_EQ(observer::now(), nullptr);
    EXPECT_EQ(sg_stop(), 0);
}

} // namespace
} // namespace saguaro::scheduler
