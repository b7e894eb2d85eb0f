// SPDX-License-Identifier: MIT
// Blocking scopes: another worker takes the place of a task that waits for something outside, by
// threads that are made for it and sleep afterwards. What the tasks wait for here is each other.
#include "saguaro/blocking.hpp"
#include "saguaro/detail/sanitizers.h"
#include "saguaro/parallel_for.hpp"
#include "saguaro/parallel_invoke.hpp"
#include "saguaro/saguaro.hpp"
#include "scheduler/runtime.hpp"
#include "support/death_style.hpp"
#include "support/forbidden_call.hpp"
#include "support/kernel_calls.hpp"
#include "support/started.hpp"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <future>
#include <sched.h>
#include <stdexcept>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace saguaro::scheduler {
namespace {

using namespace std::chrono_literals;

using test::becomes_true;

// So many tasks that wait for each other.
class company {
public:
    explicit company(int number) : number_(number) {}

    void wait_for_all() {
        const blocking wait;
        ++here_;
        if (!becomes_true([this] { return here_ >= number_; }))
            in_vain_ = true;
    }
    bool came_together() const { return here_ == number_ && !in_vain_; }

private:
    const int number_;
    std::atomic<int> here_{0};
    std::atomic<bool> in_vain_{false};
};

void expect_all_to_sleep() {
    EXPECT_TRUE(becomes_true([] { return running()->seating().awake() == 0; }));
}

TEST(blocking, other_workers_take_the_place) {
    for (const unsigned workers : {1U, 2U}) {
        const test::started some(workers);
        for (int round = 0; round < 3; ++round) {
            company six(6);
            run([&] {
                scope s;
                for (int i = 0; i < 6; ++i)
                    s.spawn([&] { six.wait_for_all(); });
            });
            ASSERT_TRUE(six.came_together()) << workers << " workers, round " << round;
        }
        EXPECT_EQ(running()->seating().stand_ins.all(), 6U) << "they are kept";
        expect_all_to_sleep();
    }
}

TEST(blocking, tasks_of_each_construct_may_wait) {
    const test::started two(2);
    company loop(5);
    parallel_for(0, 5, [&](int) { loop.wait_for_all(); });
    EXPECT_TRUE(loop.came_together());
    company closures(4);
    const auto one = [&] { closures.wait_for_all(); };
    run([&] { parallel_invoke(one, one, one, one); });
    EXPECT_TRUE(closures.came_together());
    company tasks(4);
    task_group group;
    for (int i = 0; i < 4; ++i)
        group.run([&] { tasks.wait_for_all(); });
    group.wait();
    EXPECT_TRUE(tasks.came_together());
}

TEST(blocking, loops_that_wait_for_other_threads_come_to_an_end) {
    const test::started two(2);
    std::atomic<long> sum{0};
    parallel_for(0, 50, [&](int i) {
        std::future<long> other = std::async(std::launch::async, [i] {
            return parallel_reduce(0, i + 1, 0L, std::plus<>{}, [](int k) { return long{k}; });
        });
        const blocking wait;
        sum += other.get();
    });
    EXPECT_EQ(sum, 20825);
}

TEST(blocking, there_are_no_more_stand_ins_than_that) {
    const test::started two(2);
    running()->stand_ins.most = 3;
    std::atomic<int> here{0}, most{0};
    std::atomic<bool> all_may_end{false};
    run([&] {
        scope s;
        for (int i = 0; i < 12; ++i)
            s.spawn([&] {
                const blocking wait;
                const int now = ++here;
                int before = most;
                while (before < now && !most.compare_exchange_weak(before, now))
                    ;
                if (now == 5)
                    all_may_end = true;
                EXPECT_TRUE(becomes_true([&] { return all_may_end.load(); }));
                --here;
            });
    });
    EXPECT_EQ(most, 5);
    EXPECT_EQ(running()->seating().stand_ins.all(), 3U);
}

// There are more flows than processors, and the last one waits until there are no more threads.
TEST(blocking, stand_ins_sleep_afterwards_beside_work) {
    const test::started two(2);
    company five(5);
    std::atomic<bool> is_quiet{false};
    run([&] {
        scope s;
        for (int i = 0; i < 5; ++i)
            s.spawn([&] { five.wait_for_all(); });
        s.sync();
        using clock = std::chrono::steady_clock;
        for (const auto deadline = clock::now() + 1min; !is_quiet && clock::now() < deadline;)
            parallel_for(0, 16, [&](int) {
                std::this_thread::sleep_for(200us);
                if (running()->seating().awake() <= 1)
                    is_quiet = true;
            });
    });
    EXPECT_TRUE(five.came_together());
    EXPECT_TRUE(is_quiet);
}

// The caller's only help is a thread that has a worker beyond those that policies know.
TEST(blocking, a_caller_finds_what_a_stand_in_has) {
    for (const bool has_further_worker : {false, true}) {
        const test::started one(1);
        std::atomic<bool> is_inside{false}, may_end{false};
        std::thread other;
        if (has_further_worker) {
            other = std::thread([&] {
                run([&] {
                    const blocking wait; // it needs no processor
                    is_inside = true;
                    becomes_true([&] { return may_end.load(); });
                });
            });
            ASSERT_TRUE(becomes_true([&] { return is_inside.load(); }));
        }
        std::atomic<bool> is_taken{false}, is_found{false};
        run([&] {
            parallel_invoke(
                [&] {
                    const blocking wait;
                    EXPECT_TRUE(becomes_true([&] { return is_taken.load(); }));
                },
                [&] {
                    parallel_invoke(
                        [&] {
                            is_taken = true;
                            EXPECT_TRUE(becomes_true([&] { return is_found.load(); }));
                        },
                        [&] { is_found = true; });
                });
        });
        EXPECT_TRUE(is_found);
        may_end = true;
        if (has_further_worker)
            other.join();
    }
}

// What was pushed while there was no processor is taken when there is one, although no nap ends.
TEST(blocking, a_thread_that_sleeps_is_woken) {
    const test::started two(2);
    running()->stand_ins.most = 0;
    std::atomic<bool> is_inside{false}, is_taken{false};
    std::thread other([&] {
        run([&] {
            is_inside = true;
            becomes_true([&] { return is_taken.load(); });
        });
    });
    ASSERT_TRUE(becomes_true([&] { return is_inside && running()->seating().awake() == 0; }));
    run([&] {
        parallel_invoke(
            [&] {
                test_support::sleeps.ignore_limits = true;
                EXPECT_TRUE(becomes_true([] { return test_support::sleeps.without_end == 1; }));
                const blocking wait;
                EXPECT_TRUE(becomes_true([&] { return is_taken.load(); }));
            },
            [&] { is_taken = true; });
    });
    test_support::sleeps.ignore_limits = false;
    is_taken = true;
    other.join();
}

TEST(blocking, only_the_outermost_scope_counts) {
    const test::started two(2);
    const auto blocked = [] { return running()->seating().blocked(); };
    const blocking outside;
    EXPECT_EQ(blocked(), 0);
    run([&] {
        {
            const blocking outer;
            EXPECT_EQ(blocked(), 1);
            {
                const blocking inner;
                EXPECT_EQ(blocked(), 1);
            }
            EXPECT_EQ(blocked(), 1);
        }
        EXPECT_EQ(blocked(), 0);
        EXPECT_EQ(test::fib(12), 144) << "a task spawns as before";
        scope s;
        s.spawn([] {});
        s.sync();
    });
    EXPECT_EQ(blocked(), 0);
}

TEST(blocking, an_exception_ends_the_scope) {
    const test::started two(2);
    EXPECT_THROW(run([] {
                     const blocking wait;
                     throw std::runtime_error("no message");
                 }),
                 std::runtime_error);
    EXPECT_EQ(running()->seating().blocked(), 0);
    EXPECT_EQ(run([] { return test::fib(10); }), 55);
}

TEST(blocking, the_workers_stop_soon_after_it) {
    for (unsigned round = 0; round < 8; ++round) {
        const test::started some(1 + round % 2);
        company three(3);
        parallel_for(0, 3, [&](int) { three.wait_for_all(); });
        ASSERT_TRUE(three.came_together());
    }
}

// As a thread that falls asleep just after the end was announced, where the waits of others are
// over and there are more threads than processors.
TEST(blocking, a_stand_in_gets_up_for_the_end_without_a_processor) {
    seats one;
    one.open(1, -1);
    participant first, second, late;
    EXPECT_TRUE(one.begin_blocking(1, false));
    EXPECT_TRUE(one.join(&first) && one.rise(first));
    EXPECT_TRUE(one.join(&second) && one.rise(second));
    one.end_blocking(false);
    EXPECT_EQ(one.free_processors(), -1);
    one.dismiss();
    EXPECT_TRUE(one.rest(second, false));
    EXPECT_TRUE(one.rise(second));
    EXPECT_FALSE(one.join(&late));
}

TEST(blocking, stand_ins_use_the_processors_of_the_thread_that_started_the_workers) {
    cpu_set_t all;
    ASSERT_EQ(sched_getaffinity(0, sizeof(all), &all), 0);
    const test::started one(1);
    std::thread kept([&] {
        cpu_set_t first;
        CPU_ZERO(&first);
        for (int cpu = 0; CPU_COUNT(&first) == 0; ++cpu)
            if (CPU_ISSET(cpu, &all))
                CPU_SET(cpu, &first);
        ASSERT_EQ(sched_setaffinity(0, sizeof(first), &first), 0);
        const std::thread::id mine = std::this_thread::get_id();
        company both(2);
        parallel_for(0, 2, [&](int) {
            both.wait_for_all();
            cpu_set_t here;
            EXPECT_EQ(sched_getaffinity(0, sizeof(here), &here), 0);
            EXPECT_TRUE(CPU_EQUAL(&here, std::this_thread::get_id() == mine ? &first : &all));
        });
        EXPECT_TRUE(both.came_together());
    });
    kept.join();
}

// From now on the kernel makes no thread for this process.
bool refuse_threads() {
    return test_support::filter_calls(std::array<sock_filter, 5>{{
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone3, 1, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EAGAIN),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    }});
}

int exit_code_of(pid_t child) {
    int status = 0;
    EXPECT_EQ(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(blocking, a_thread_that_the_system_refuses_is_done_without) {
#if defined(SG_TEST_EMULATED) || SG_THREAD_SANITIZER
    GTEST_SKIP() << "the emulator, or the sanitizer after a fork, has a word about threads";
#endif
    const pid_t child = fork();
    if (child == 0) {
        start({.workers = 1});
        if (!refuse_threads())
            _exit(2);
        for (int i = 0; i < 3; ++i)
            run([] { const blocking wait; });
        _exit(running()->seating().stand_ins.all() == 0 && running()->seating().blocked() == 0 ? 0
                                                                                               : 1);
    }
    EXPECT_EQ(exit_code_of(child), 0);
}

TEST(blocking, the_child_of_a_fork_leaves_the_scope) {
#if SG_THREAD_SANITIZER
    GTEST_SKIP() << "it sees no synchronization after a fork beside other threads";
#endif
    const test::started two(2);
    EXPECT_EQ(run([] {
                  const pid_t child = [] {
                      const blocking wait;
                      return fork();
                  }();
                  if (child == 0)
                      _exit(test::fib(10) == 55 ? 0 : 1);
                  return exit_code_of(child);
              }),
              0);
}

constexpr const char *line_of_a_spawn = "saguaro: a task spawns, or waits for "
                                        "tasks, in a blocking scope; end the scope first";

TEST(blocking_death, refuses_each_construct_that_spawns) {
    test::use_threadsafe_style();
    EXPECT_DEATH(run([] {
                     const blocking wait;
                     parallel_invoke([] {}, [] {});
                 }),
                 line_of_a_spawn);
    EXPECT_DEATH(parallel_for(0, 2,
                              [](int) {
                                  const blocking wait;
                                  parallel_for(0, 10, [](int) {});
                              }),
                 line_of_a_spawn);
    EXPECT_DEATH(run([] {
                     scope s;
                     s.spawn([] {}); // leaves a stack for the next child
                     const blocking wait;
                     s.spawn([] {});
                 }),
                 line_of_a_spawn);
    EXPECT_DEATH(run([] {
                     task_group g;
                     const blocking wait;
                     g.run([] {});
                 }),
                 line_of_a_spawn);
}

TEST(blocking_death, refuses_a_wait_for_tasks) {
    test::use_threadsafe_style();
    const auto sync_in_a_scope = [] {
        start({.workers = 2});
        run([] {
            scope s;
            // The thief has the rest, and waits for this child.
            s.spawn([] { becomes_true([] { return false; }); });
            const blocking wait;
            s.sync();
        });
    };
    EXPECT_DEATH(sync_in_a_scope(), line_of_a_spawn);
}

TEST(blocking_death, refuses_ends_that_do_not_match) {
    test::use_threadsafe_style();
    EXPECT_DEATH(run([] { sg_blocking_end(); }),
                 "saguaro: sg_blocking_end without sg_blocking_begin in the same task");
    EXPECT_DEATH(run([] { sg_blocking_begin(); }),
                 "saguaro: a task has ended, or was stolen, in a blocking scope");
}

} // namespace
} // namespace saguaro::scheduler
