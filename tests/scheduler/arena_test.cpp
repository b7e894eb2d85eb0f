// SPDX-License-Identifier: MIT
// Arenas: at most so many threads in one, and none that sleeps beside work, a place and a
// processor.
#include "saguaro/detail/sanitizers.h"
#include "saguaro/saguaro.hpp"
#include "scheduler/arena.hpp"
#include "scheduler/monitor.hpp"
#include "scheduler/ready.hpp"
#include "scheduler/runtime.hpp"
#include "scheduler/steal.hpp"
#include "support/death_style.hpp"
#include "support/kernel_calls.hpp"
#include "support/started.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <mutex>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace saguaro::scheduler {
namespace {

using namespace std::chrono_literals;

using test::becomes_true;

// Parts of an arena's work that count how many of them run at once.
class counted_parts {
public:
    void run_one() {
        const int now = ++here_;
        int most = most_;
        while (most < now && !most_.compare_exchange_weak(most, now))
            ;
        std::this_thread::sleep_for(30us);
        --here_;
    }
    void run_many(int number) {
        parallel_for(0, number, [this](int) { run_one(); });
    }
    int most() const { return most_; }

private:
    std::atomic<int> here_{0}, most_{0};
};

// So many parts that wait for each other: so many threads have to do them.
void all_at_once(int number) {
    std::atomic<int> here{0};
    scope s;
    for (int i = 0; i < number; ++i)
        s.spawn([&] {
            ++here;
            EXPECT_TRUE(becomes_true([&] { return here == number; }));
        });
    s.sync();
}

// What is below is the same for a call outside of a run and for one in a task.
template <class Body>
void outside_and_in_a_task(Body body) {
    body();
    run(body);
}

// No thread of the runtime's gets up by itself any more while it lives; all sleep.
class all_asleep {
public:
    explicit all_asleep(int threads) {
        test_support::sleeps.ignore_limits = true;
        EXPECT_TRUE(becomes_true([=] {
            return test_support::sleeps.without_end == threads && running()->seating().awake() == 0;
        }));
    }
    ~all_asleep() { test_support::sleeps.ignore_limits = false; }
    all_asleep(const all_asleep &) = delete;
    all_asleep &operator=(const all_asleep &) = delete;
};

// A worker that no thread has, with a place in an arena of so many where one call is under way.
struct on_a_place {
    explicit on_a_place(unsigned places) {
        there.most = places;
        there.here = 1;
        there.calls = 1;
        w.place = &there;
        w.guest = nullptr;
    }
    ~on_a_place() { callers::give(w); }
    on_a_place(const on_a_place &) = delete;
    on_a_place &operator=(const on_a_place &) = delete;

    sg_arena there;
    worker &w = running()->callers().take(false);
};

TEST(arena, returns_results_and_exceptions_on_the_calling_thread) {
    for (const unsigned workers : {1U, 3U}) {
        const test::started some(workers);
        for (const unsigned places : {1U, 2U, 100U}) {
            arena a({.workers = places});
            EXPECT_EQ(a.workers(), places);
            outside_and_in_a_task([&] {
                const std::thread::id mine = std::this_thread::get_id();
                EXPECT_EQ(a.run([] { return test::fib(12); }), 144);
                EXPECT_EQ(a.run([] { return std::string("text"); }), "text");
                EXPECT_THROW(a.run([] {
                    parallel_for(0, 100, [](int i) {
                        if (i == 50)
                            throw std::runtime_error("from within");
                    });
                }),
                             std::runtime_error);
                EXPECT_EQ(a.run([&] { return a.run([] { return test::fib(11); }); }), 89);
                EXPECT_EQ(std::this_thread::get_id(), mine);
            });
        }
    }
}

TEST(arena, has_at_most_so_many_threads) {
    for (const unsigned workers : {1U, 4U}) {
        const test::started some(workers);
        for (const unsigned places : {1U, 2U, 3U}) {
            arena a({.workers = places});
            counted_parts counted;
            outside_and_in_a_task([&] {
                a.run([&] { counted.run_many(100); });
                a.run([&] { isolate([&] { counted.run_many(100); }); });
                a.run([&] {
                    task_group g;
                    for (int i = 0; i < 50; ++i)
                        g.run([&] { counted.run_one(); });
                    g.wait();
                    parallel_for(0, 4, [&](int) { a.run([&] { counted.run_many(10); }); });
                });
            });
            EXPECT_GE(counted.most(), 1);
            EXPECT_LE(counted.most(), static_cast<int>(places)) << "of " << workers;
        }
    }
}

TEST(arena, has_as_many_threads_as_it_may) {
    const test::started three(3);
    for (const int places : {1, 2, 3, 5}) {
        arena a({.workers = static_cast<unsigned>(places)});
        outside_and_in_a_task([&] { a.run([&] { all_at_once(std::min(places, 3)); }); });
    }
    arena unlimited;
    unlimited.run([] { all_at_once(3); });
}

TEST(arena, inside_another_one_counts_for_itself) {
    const test::started three(3);
    arena one({.workers = 1}), more({.workers = 3});
    counted_parts counted;
    outside_and_in_a_task([&] {
        one.run([&] {
            more.run([&] {
                all_at_once(3);
                parallel_for(0, 20, [&](int) { one.run([&] { counted.run_many(3); }); });
            });
            all_at_once(1);
        });
    });
    EXPECT_LE(counted.most(), 3);
    counted_parts in_one;
    one.run([&] {
        parallel_for(0, 10, [&](int) {
            in_one.run_many(3);
            more.run([] { all_at_once(2); });
        });
    });
    EXPECT_EQ(in_one.most(), 1);
}

// Three threads are in an arena for one: they wait for each other, but no fourth comes to help.
TEST(arena, lets_each_caller_begin_at_once) {
    const test::started four(4);
    arena one({.workers = 1});
    std::atomic<int> inside{0};
    counted_parts counted;
    test::on_threads(3, [&](int) {
        one.run([&] {
            ++inside;
            EXPECT_TRUE(becomes_true([&] { return inside == 3; }));
            counted.run_many(100);
        });
    });
    EXPECT_LE(counted.most(), 3);
}

// A worker helps when a second caller comes, for whom there is no place. It leaves when its part
// has ended, and does not take the first caller's next ones.
TEST(arena, is_left_by_helpers_where_callers_need_the_places) {
    const test::started three(3);
    arena two({.workers = 2});
    counted_parts counted;
    std::atomic<bool> helped{false}, second_is_inside{false}, first_may_end{false};
    std::thread second([&] {
        EXPECT_TRUE(becomes_true([&] { return helped.load(); }));
        two.run([&] {
            second_is_inside = true;
            EXPECT_TRUE(becomes_true([&] { return first_may_end.load(); }));
        });
    });
    two.run([&] {
        parallel_invoke(
            [&] {
                EXPECT_TRUE(becomes_true([&] { return second_is_inside.load(); }));
                counted.run_many(100);
            },
            [&] {
                helped = true;
                EXPECT_TRUE(becomes_true([&] { return second_is_inside.load(); }));
            });
    });
    first_may_end = true;
    second.join();
    EXPECT_EQ(counted.most(), 1);
}

TEST(arena, the_calling_thread_does_nothing_else_meanwhile) {
    const test::started three(3);
    arena a({.workers = 2}), b({.workers = 2});
    static thread_local const arena *mine = nullptr;
    std::atomic<int> others_here{0};
    const auto parts_in = [&](arena &which) {
        const arena *const before = std::exchange(mine, &which);
        which.run([&] {
            parallel_for(0, 4,
                         [&](int i) { std::this_thread::sleep_for(i % 2 == 0 ? 20us : 200us); });
        });
        mine = before;
    };
    run([&] {
        scope s;
        for (int i = 0; i < 150; ++i)
            s.spawn([&, i] {
                others_here += mine != nullptr;
                parts_in(i % 2 == 0 ? a : b);
            });
    });
    EXPECT_EQ(others_here, 0);
}

// The sleepers may take nothing of it: pushes wake none of them.
TEST(arena, lets_others_sleep_where_there_is_no_place) {
    const test::started three(3);
    arena one({.workers = 1});
    outside_and_in_a_task([&] {
        one.run([&] {
            parallel_invoke(
                [&] {
                    const all_asleep now(2);
                    const int woken = test_support::sleeps.woken;
                    for (int i = 0; i < 1000; ++i)
                        parallel_invoke([] {}, [] {});
                    {
                        task_group g(any_flow);
                        g.run([] {});
                        g.wait();
                    }
                    EXPECT_EQ(test_support::sleeps.woken, woken);
                    EXPECT_EQ(running()->seating().awake(), 0);
                },
                [] {});
        });
    });
}

// A try would take the cache lines, and the lock, of the threads that work there.
TEST(arena, without_a_place_is_not_tried) {
    const test::started three(3);
    arena one({.workers = 1});
    run([&] {
        one.run([&] {
            parallel_invoke(
                [] {
                    EXPECT_TRUE(looks_rich(*current_worker()));
                    worker &thief = running()->callers().take(false);
                    thief.guest = nullptr;
                    for (int i = 0; i < 100; ++i)
                        EXPECT_FALSE(find_work(thief));
                    EXPECT_FALSE(thief.missed);
                    callers::give(thief);
                },
                [] {});
        });
    });
}

TEST(arena, a_caller_that_is_alone_wakes_no_thread) {
    const test::started three(3);
    arena one({.workers = 1});
    run([&] {
        const all_asleep now(2);
        const int woken = test_support::sleeps.woken;
        for (int i = 0; i < 100; ++i) {
            one.run([] { parallel_invoke([] {}, [] {}); });
            EXPECT_EQ(running()->seating().awake(), 0);
        }
        EXPECT_EQ(test_support::sleeps.woken, woken);
    });
}

// No nap ends: the call that leaves has to wake a thread that had found no place.
TEST(arena, a_caller_that_leaves_wakes_another_thread) {
    const test::started three(3);
    arena two({.workers = 2});
    for (int round = 0; round < 5; ++round) {
        std::atomic<bool> inside{false}, may_leave{false}, done{false};
        std::thread other([&] {
            run([&] {
                two.run([&] {
                    inside = true;
                    EXPECT_TRUE(becomes_true([&] { return may_leave.load(); }));
                });
                EXPECT_TRUE(becomes_true([&] { return done.load(); }));
            });
        });
        EXPECT_TRUE(becomes_true([&] { return inside.load(); }));
        two.run([&] {
            std::atomic<int> here{0};
            std::optional<all_asleep> now;
            parallel_invoke(
                [&] {
                    now.emplace(2);
                    ++here;
                    may_leave = true;
                    EXPECT_TRUE(becomes_true([&] { return here == 2; }));
                },
                [&] { ++here; });
            done = true;
        });
        other.join();
    }
}

TEST(arena, a_thief_that_goes_elsewhere_wakes_another_thread) {
    const test::started three(3);
    run([] {});
    on_a_place thief(1);
    const all_asleep now(2);
    const int woken = test_support::sleeps.woken;
    begin_for(thief.w, {});
    EXPECT_EQ(thief.w.place, nullptr);
    EXPECT_EQ(thief.there.here, 1U) << "under a lock nothing is woken";
    finish_move(thief.w);
    EXPECT_EQ(thief.there.here, 0U);
    EXPECT_TRUE(becomes_true([=] { return test_support::sleeps.woken > woken; }));
}

TEST(arena, a_thief_that_is_a_caller_keeps_no_place) {
    const test::started three(3);
    run([] {});
    on_a_place thief(1);
    make_room(thief.w);
    EXPECT_EQ(thief.w.place, &thief.there) << "one of the runtime's keeps it while it looks";
    const all_asleep now(2);
    const int woken = test_support::sleeps.woken;
    root r;
    thief.w.guest = &r;
    make_room(thief.w);
    EXPECT_EQ(thief.w.place, nullptr);
    EXPECT_EQ(thief.there.here, 0U);
    EXPECT_TRUE(becomes_true([=] { return test_support::sleeps.woken > woken; }));
    thief.w.guest = nullptr;
}

TEST(arena, of_two_thieves_one_leaves_a_crowd_of_one) {
    const test::started three(3);
    run([] {});
    on_a_place first(2), second(2);
    second.w.place = &first.there;
    first.there.here = 3;
    make_room(first.w);
    EXPECT_EQ(first.w.place, nullptr);
    make_room(second.w);
    EXPECT_EQ(second.w.place, &first.there);
    EXPECT_EQ(first.there.here, 2U);
    second.w.place = nullptr;
}

TEST(arena, a_thread_moves_once_at_a_time) {
    const test::started three(3);
    run([] {});
    on_a_place thief(1), other(2);
    nesting elsewhere, outside;
    elsewhere.in = &other.there;
    const cause there{nullptr, &elsewhere}, none{nullptr, &outside};
    EXPECT_TRUE(take_place(thief.w, there));
    EXPECT_EQ(thief.w.place, &other.there);
    EXPECT_EQ(thief.w.left, &thief.there);
    EXPECT_EQ(other.there.here, 2U);
    EXPECT_TRUE(take_place(thief.w, there));
    EXPECT_EQ(other.there.here, 2U) << "a second place";
    EXPECT_FALSE(take_place(thief.w, none));
    finish_move(thief.w);
    EXPECT_EQ(thief.there.here, 0U);
    EXPECT_TRUE(take_place(thief.w, none));
    EXPECT_FALSE(may_take(nullptr, there));
    EXPECT_TRUE(may_take(&thief.w, there));
    thief.w.place = other.w.place = nullptr;
    EXPECT_FALSE(take_place(thief.w, there)) << "it is full";
    EXPECT_EQ(other.there.here, 2U);
}

TEST(arena, ready_work_needs_a_place) {
    const test::started three(3);
    run([] {});
    on_a_place thief(1), other(1);
    nesting elsewhere;
    elsewhere.in = &other.there;
    ready_list &list = running()->ready;
    const all_asleep now(2);
    ready_work one;
    one.what.body = [](void *) {};
    one.of = {nullptr, &elsewhere};
    make_ready(*running(), one);
    EXPECT_EQ(running()->seating().awake(), 0) << "woken in vain";
    work what;
    cause of;
    EXPECT_FALSE(list.any_for(nullptr, &thief.w, true));
    EXPECT_FALSE(list.take(thief.w, what, of, SG_PRIORITY_LOW));
    EXPECT_TRUE(list.any_for(nullptr, &other.w, true)) << "it has a place";
    other.there.most = 2;
    EXPECT_TRUE(list.take(thief.w, what, of, SG_PRIORITY_LOW));
    EXPECT_EQ(thief.w.place, &other.there);
    EXPECT_EQ(other.there.here, 2U);
    EXPECT_EQ(of.within, &elsewhere);
    finish_move(thief.w);
    thief.w.place = other.w.place = nullptr;
}

TEST(arena, a_thread_has_one_place) {
    const test::started two(2);
    arena a({.workers = 2}), b({.workers = 2});
    outside_and_in_a_task([&] {
        a.run([&] {
            sg_arena *const mine = arena_of(current_worker()->whose());
            ASSERT_NE(mine, nullptr);
            EXPECT_EQ(mine->here, 1U);
            a.run([&] { EXPECT_EQ(mine->here, 1U); });
            b.run([&] {
                EXPECT_NE(arena_of(current_worker()->whose()), mine);
                a.run([&] {
                    EXPECT_EQ(arena_of(current_worker()->whose()), mine);
                    EXPECT_EQ(mine->here, 1U);
                });
            });
            isolate([&] { EXPECT_EQ(arena_of(current_worker()->whose()), mine); });
            EXPECT_EQ(mine->here, 1U);
        });
    });
}

// Places are given back, however the threads have left: the arena outlives the workers.
TEST(arena, is_empty_when_the_workers_have_ended) {
    arena a({.workers = 3});
    sg_arena *there = nullptr;
    for (int round = 0; round < 5; ++round) {
        const test::started four(4);
        a.run([&] {
            there = arena_of(current_worker()->whose());
            parallel_for(0, 50, [](int) { std::this_thread::sleep_for(20us); });
        });
        EXPECT_LE(there->here, 3U);
        run([&] { parallel_for(0, 20, [&](int) { a.run([] { test::fib(8); }); }); });
    }
    EXPECT_EQ(there->here, 0U);
    EXPECT_EQ(there->calls, 0U);
}

TEST(arena, is_a_part_of_its_task_for_reducers) {
    for (const unsigned workers : {1U, 4U}) {
        const test::started some(workers);
        reducer<string_append> text;
        arena a({.workers = 2});
        run([&] {
            *text += 'a';
            a.run([&] {
                EXPECT_EQ(*text, "a") << "the serially first strand";
                parallel_for(0, 26, [&](int i) {
                    std::this_thread::sleep_for(100us);
                    *text += static_cast<char>('A' + i);
                });
            });
            *text += 'b';
        });
        a.run([&] { parallel_for(0, 3, [&](int i) { *text += static_cast<char>('0' + i); }); });
        EXPECT_EQ(text.get(), "aABCDEFGHIJKLMNOPQRSTUVWXYZb012");
    }
}

TEST(arena, the_child_of_a_fork_comes_back_from_it) {
#if SG_THREAD_SANITIZER
    GTEST_SKIP() << "it sees no synchronization after a fork beside other threads";
#endif
    const test::started two(2);
    for (const bool in_a_task : {false, true}) {
#ifdef SG_TEST_EMULATED
        if (!in_a_task)
            continue; // the child begins a thread, which the emulator cannot there
#endif
        std::optional<arena> a(std::in_place, arena_options{.workers = 1});
        int status = -1;
        const auto forks = [&] {
            pid_t child = -1;
            a->run([&] {
                child = fork();
                if (child == 0 && a->run([] { return test::fib(10); }) != 55)
                    _exit(1);
            });
            if (child == 0) {
                a.reset(); // no call is under way
                arena again({.workers = 1});
                _exit(again.run([] { return test::fib(11); }) == 89 ? 0 : 2);
            }
            waitpid(child, &status, 0);
        };
        if (in_a_task)
            run(forks);
        else
            forks();
        EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
    }
}

// In the child no thread has a place, and no call is under way, of those that only the parent has.
TEST(arena, the_child_of_a_fork_has_all_places) {
    std::optional<arena> one(std::in_place, arena_options{.workers = 1});
    std::atomic<bool> inside{false}, may_end{false};
    std::thread other([&] {
        one->run([&] {
            inside = true;
            EXPECT_TRUE(becomes_true([&] { return may_end.load(); }));
        });
    });
    EXPECT_TRUE(becomes_true([&] { return inside.load(); }));
    const pid_t child = fork();
    if (child == 0) {
        one.reset();
        _exit(0);
    }
    int status = -1;
    waitpid(child, &status, 0);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
    may_end = true;
    other.join();
    EXPECT_EQ(sg_stop(), 0);
}

TEST(arena, for_no_worker_is_refused) {
    testing::internal::CaptureStderr();
    EXPECT_THROW(arena({.workers = 0}), std::system_error);
    EXPECT_EQ(testing::internal::GetCapturedStderr(),
              "saguaro: an arena for 0 workers; 1 or more\n");
    errno = 0;
    testing::internal::CaptureStderr();
    EXPECT_EQ(sg_arena_create(0), nullptr);
    EXPECT_EQ(errno, EINVAL);
    testing::internal::GetCapturedStderr();
    sg_arena_destroy(nullptr);
}

TEST(arena_death, is_not_destroyed_while_something_runs_in_it) {
    test::use_threadsafe_style();
    EXPECT_DEATH(
        {
            std::optional<arena> a(std::in_place);
            a->run([&] { a.reset(); });
        },
        "saguaro: an arena is destroyed while something runs in it");
    EXPECT_DEATH(run([] {
                     sg_arena *const a = sg_arena_create(1);
                     sg_arena_destroy(a);
                     sg_arena_destroy(a);
                 }),
                 "saguaro: sg_arena_destroy: the arena is destroyed already");
    EXPECT_DEATH(
        {
            sg_arena *const a = sg_arena_create(1);
            sg_arena_destroy(a);
            sg_arena_run(a, [](void *) {}, nullptr);
        },
        "saguaro: sg_arena_run: the arena is destroyed");
    EXPECT_DEATH(
        sg_arena_run(nullptr, [](void *) {}, nullptr), "saguaro: sg_arena_run: the arena is null");
    EXPECT_DEATH(sg_arena_run(sg_arena_create(1), nullptr, nullptr),
                 "saguaro: sg_arena_run: the function is null");
}

TEST(arena, nothing_to_steal_is_left_beside_a_sleeper_a_place_and_a_processor) {
    constexpr int callers = 3;
    constexpr int rounds = SG_THREAD_SANITIZER || SG_ADDRESS_SANITIZER ? 15 : 50;
    for (const unsigned workers : {2U, 5U}) {
        const test::started some(workers);
        arena one({.workers = 1}), two({.workers = 2}), three({.workers = 3});
        const std::vector<arena *> all{&one, &two, &three};
        test::monitor looks;
        // So many parts, some of them in an arena inside.
        const auto spread = [&](auto &self, unsigned number, unsigned random) -> void {
            if (number == 1)
                return looks.part(random % 3);
            const auto both = [&] {
                parallel_invoke([&] { self(self, number / 2, random * 3 + 1); },
                                [&] { self(self, number - number / 2, random / 5); });
            };
            if (random % 4 != 3)
                all[random % 3]->run(both);
            else
                both();
        };
        std::atomic<int> left{callers};
        std::thread enter([&] {
            test::on_threads(callers, [&](int number) {
                std::mt19937 random(static_cast<unsigned>(number) + workers);
                for (int i = 0; i < rounds; ++i) {
                    const auto size = static_cast<unsigned>(random() % 6 + 1);
                    const auto seed = static_cast<unsigned>(random());
                    if (i % 2 == 0)
                        all[seed % 3]->run([&] { spread(spread, size, seed); });
                    else
                        run([&] { spread(spread, size, seed); });
                }
                --left;
            });
        });
        bool holds = true;
        while (left != 0)
            holds = looks.look([](const runtime &rt) {
                return rt.anything_to_do(nullptr, nullptr); // a place for it is there
            }) && holds;
        enter.join();
        EXPECT_TRUE(holds) << workers << " workers";
    }
}

} // namespace
} // namespace saguaro::scheduler
