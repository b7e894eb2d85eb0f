// SPDX-License-Identifier: MIT
// Tests of a thread that enters and works: its costs, what comes back unharmed, who gets a worker
// when there are more threads than workers, and that it does no other root's work.
#include "hyperobjects/region.hpp"
#include "platform/arch.hpp"
#include "platform/cpus.hpp"
#include "saguaro/detail/sanitizers.h"
#include "saguaro/monoids.hpp"
#include "saguaro/parallel_for.hpp"
#include "saguaro/parallel_invoke.hpp"
#include "saguaro/reducer.hpp"
#include "saguaro/run.hpp"
#include "saguaro/scope.hpp"
#include "scheduler/runtime.hpp"
#include "support/forbidden_call.hpp"
#include "support/scripted_policy.hpp"
#include "support/started.hpp"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <pthread.h>
#include <stdexcept>
#include <string>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace saguaro::scheduler {
namespace {

constexpr bool is_slow = SG_THREAD_SANITIZER || SG_ADDRESS_SANITIZER;

using test::fib;
using test::on_threads;
using test::started;

template <class Condition>
void wait_for(Condition condition) {
    while (!condition())
        std::this_thread::yield();
}

// Behind a short run only the end of the next one is looked at.
TEST(entry, a_long_run_is_worth_help_for_the_next_after_one_that_was_measured) {
    const started workers(1);
    const worker &w = running()->worker_at(0);
    const auto run_long = [] {
        run([] {
            const std::uint64_t since = platform::ticks();
            while (platform::ticks() - since <= platform::ticks_worth_a_wake) {
            }
        });
    };
    run_long();
    EXPECT_TRUE(w.is_worth_help) << "it was measured";
    run_long();
    EXPECT_TRUE(w.is_worth_help) << "as each behind a long one";
    wait_for([&] {
        run([] {});
        return !w.is_worth_help && w.ended != 0;
    });
    run_long();
    EXPECT_FALSE(w.is_worth_help) << "it may have been the time before it";
    EXPECT_EQ(w.ended, 0U) << "the next one is measured";
    run_long();
    EXPECT_TRUE(w.is_worth_help);
}

// Nothing sleeps in a runtime with one worker that could do it for them.
TEST(entry, threads_that_have_left_keep_no_stacks) {
    const started workers(1);
    std::atomic<int> inside{0};
    constexpr int threads = 3;
    on_threads(threads, [&](int) {
        run([&] {
            ++inside;
            wait_for([&] { return inside == threads; });
            scope outer;
            outer.spawn([] {
                scope inner;
                inner.spawn([] {});
            });
        });
    });
    callers &all = running()->callers();
    ASSERT_GE(all.others(), 1U);
    for (unsigned i = 0; i < all.others(); ++i)
        wait_for([&] {
            run([] {});
            return all.other_at(i)->at_hand.count() == 0;
        });
}

// ---- What it costs ----

std::size_t threads_of_this_process() {
    const std::filesystem::directory_iterator tasks("/proc/self/task");
    return static_cast<std::size_t>(std::distance(begin(tasks), end(tasks)));
}

TEST(entry, needs_one_thread_less_than_there_are_workers) {
    if (is_slow)
        GTEST_SKIP() << "the sanitizers have threads of their own";
    const std::size_t before = threads_of_this_process();
    for (const unsigned workers : {1U, 3U}) {
        const started some(workers);
        EXPECT_EQ(run([] { return fib(10); }), 55);
        EXPECT_EQ(threads_of_this_process(), before + workers - 1);
    }
}

TEST(entry, switches_to_no_other_thread_where_there_is_one_worker) {
    const started one(1);
    run([] {});
    rusage before, after;
    getrusage(RUSAGE_THREAD, &before);
    for (int i = 0; i < 20'000; ++i)
        run([] { parallel_for(0, 5, [](int) {}); });
    getrusage(RUSAGE_THREAD, &after);
    EXPECT_EQ(after.ru_nvcsw, before.ru_nvcsw);
}

// From now on the kernel ends this thread's process at any system call but the thread's exit. (Not
// the strict mode of seccomp, which forbids the time stamp counter as well.)
void forbid_system_calls() {
    if (!test_support::filter_calls(std::array<sock_filter, 4>{{
            BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
            BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_exit, 0, 1),
            BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
            BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
        }}))
        _exit(8);
}

TEST(entry, makes_no_system_call_where_there_is_one_worker) {
#if defined(SG_TEST_EMULATED) || defined(SG_GENERIC)
    GTEST_SKIP() << "an emulator's, and the generic port's, switches of stacks are system calls";
#endif
    if (is_slow)
        GTEST_SKIP() << "the sanitizers make some of their own";
    const pid_t child = fork();
    if (child == 0) {
        start({.workers = 1});
        const auto use = [] {
            run([] { fib(5); });
            parallel_for(0, 4, [](int) {});
        };
        use();
        forbid_system_calls();
        for (int i = 0; i < 1000; ++i)
            use();
        syscall(SYS_exit, 7);
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFEXITED(status)) << "signal " << WTERMSIG(status);
    EXPECT_EQ(WEXITSTATUS(status), 7);
}

// ---- What comes back ----

// What belongs to a thread and must be as before.
struct belongings {
    pthread_t thread = pthread_self();
    const hyperobjects::region_head *region = hyperobjects::seen_region();
    stack_t alternate = alternate_now();
    std::vector<int> cpus = platform::allowed_cpus();
    std::array<char, 16> name = name_now();

    static stack_t alternate_now() {
        stack_t now{};
        sigaltstack(nullptr, &now);
        return now;
    }
    static std::array<char, 16> name_now() {
        std::array<char, 16> name{};
        pthread_getname_np(pthread_self(), name.data(), name.size());
        return name;
    }

    void expect_same() const {
        const belongings now;
        EXPECT_NE(pthread_equal(now.thread, thread), 0);
        EXPECT_EQ(now.region, region);
        EXPECT_EQ(now.alternate.ss_sp, alternate.ss_sp);
        EXPECT_EQ(now.alternate.ss_size, alternate.ss_size);
        EXPECT_EQ(now.alternate.ss_flags, alternate.ss_flags);
        EXPECT_EQ(now.cpus, cpus);
        EXPECT_EQ(now.name, name);
        EXPECT_EQ(sg_worker_id(), -1);
    }
};

// A thread with an alternate stack of its own.
template <class Body>
void on_a_thread_with_belongings(Body body) {
    std::thread([&] {
        std::vector<char> memory(1 << 16);
        stack_t own{};
        own.ss_sp = memory.data();
        own.ss_size = memory.size();
        ASSERT_EQ(sigaltstack(&own, nullptr), 0);
        pthread_setname_np(pthread_self(), "the user's");
        const belongings mine;
        body();
        mine.expect_same();
        own.ss_flags = SS_DISABLE;
        sigaltstack(&own, nullptr);
    }).join();
}

TEST(entry, gives_everything_back) {
    const started two(2);
    on_a_thread_with_belongings([] { EXPECT_EQ(run([] { return fib(12); }), 144); });
}

TEST(entry, a_thread_that_has_no_alternate_stack_keeps_what_it_is_lent) {
    const started one(1);
    std::thread([] {
        run([] {});
        const stack_t lent = belongings::alternate_now();
        EXPECT_EQ(lent.ss_flags & SS_DISABLE, 0);
        for (int i = 0; i < 3; ++i)
            run([] {});
        EXPECT_EQ(belongings::alternate_now().ss_sp, lent.ss_sp);
    }).join();
}

thread_local int of_this_thread = 0;

TEST(entry, thread_local_variables_are_those_of_the_thread) {
    const started one(1);
    of_this_thread = 41;
    run([] { ++of_this_thread; });
    EXPECT_EQ(of_this_thread, 42);
}

// The flow of the root goes to the other worker, and the root ends there.
void end_elsewhere() {
    const pthread_t entered = pthread_self();
    std::atomic<bool> moved{false};
    run([&] {
        scope s;
        s.spawn([&] {
            EXPECT_TRUE(test::force_steal());
            wait_for([&] { return moved.load(); });
        });
        EXPECT_EQ(pthread_equal(pthread_self(), entered), 0);
        moved = true;
        s.sync();
        // Whoever came last goes on: both ends are tried.
    });
}

TEST(entry, a_root_that_ends_on_another_worker) {
    const test::scripted_workers two(2);
    for (int i = 0; i < (is_slow ? 50 : 500); ++i)
        on_a_thread_with_belongings(end_elsewhere);
}

TEST(entry, what_a_handler_has_caught_is_there_afterwards) {
    const test::scripted_workers two(2);
    try {
        throw std::runtime_error("mine");
    } catch (...) {
        run([] { EXPECT_EQ(std::current_exception(), nullptr); });
        end_elsewhere();
        try {
            throw;
        } catch (const std::runtime_error &error) {
            EXPECT_STREQ(error.what(), "mine");
        }
    }
    EXPECT_EQ(std::current_exception(), nullptr);
}

// ---- More threads than workers ----

// So many threads at once, each with a root; in all of them `inside(number)` returns before one of
// them leaves.
template <class Inside>
void all_inside(int threads, Inside inside) {
    std::atomic<int> there{0};
    on_threads(threads, [&](int number) {
        run([&] {
            inside(number);
            ++there;
            wait_for([&] { return there == threads; });
        });
    });
}

TEST(entry, each_thread_begins_at_once_on_a_worker_of_its_own) {
    for (const unsigned workers : {1U, 2U, 3U}) {
        const started some(workers);
        // Twice the first row of the table and more.
        constexpr int threads = 40;
        for (int round = 0; round < 3; ++round) {
            std::vector<int> ids(threads);
            all_inside(threads,
                       [&](int number) { ids[static_cast<std::size_t>(number)] = worker_id(); });
            std::sort(ids.begin(), ids.end());
            EXPECT_EQ(std::adjacent_find(ids.begin(), ids.end()), ids.end());
            EXPECT_GE(ids.front(), 0);
        }
        run([] { EXPECT_EQ(worker_id(), 0); });
        // They are used again: a few more at most, made while another thread was about to leave.
        EXPECT_LE(running()->callers().others(), 2 * threads);
    }
}

TEST(entry, a_root_begins_while_all_workers_are_in_long_parts) {
    for (const int workers : {1, 2, 4}) {
        const started some(static_cast<unsigned>(workers));
        std::atomic<int> inside{0};
        std::atomic<bool> leave{false};
        std::thread other([&] {
            parallel_for(0, workers, [&](int) {
                ++inside;
                wait_for([&] { return leave.load(); });
            });
        });
        wait_for([&] { return inside == workers; });
        const std::thread::id caller = std::this_thread::get_id();
        std::atomic<int> elsewhere{0};
        parallel_for(0, 10, [&](int) { elsewhere += std::this_thread::get_id() != caller; });
        EXPECT_EQ(elsewhere, 0);
        leave = true;
        other.join();
    }
}

// Each iteration waits for a thread that enters.
TEST(entry, tasks_wait_for_threads_that_enter) {
    for (const unsigned workers : {1U, 2U, 8U}) {
        const started some(workers);
        std::atomic<long> sum{0};
        parallel_for(0, 50, [&](int i) {
            long result = 0;
            std::thread([&] {
                result =
                    parallel_reduce(0, i + 1, 0L, std::plus<>{}, [](int k) { return long{k}; });
            }).join();
            sum += result;
        });
        EXPECT_EQ(sum, 20'825);
    }
}

// The one waits in its loop for what the other makes in another.
TEST(entry, threads_in_loops_wait_for_each_other) {
    for (const unsigned workers : {1U, 2U, 3U}) {
        const started some(workers);
        std::atomic<int> made{0}, waiting{0};
        std::thread takes([&] {
            parallel_for(0, 100, [&](int) {
                ++waiting;
                wait_for([&] {
                    int left = made;
                    return left > 0 && made.compare_exchange_strong(left, left - 1);
                });
            });
        });
        wait_for([&] { return waiting != 0; });
        for (int i = 0; i < 10; ++i)
            parallel_for(0, 10, [&](int) { ++made; });
        takes.join();
        EXPECT_EQ(made, 0);
    }
}

// With as many threads inside as there are workers the runtime's own sleep, although there is
// something to steal, and go on when the threads have left.
TEST(entry, threads_of_the_runtime_give_way) {
    const started three(3);
    std::atomic<bool> over{false}, leave{false};
    std::thread offers([&] {
        run([&] {
            while (!over)
                parallel_for(0, 100, [](int) { fib(3); });
        });
    });
    const auto steals = [] { return running()->statistics().steals; };
    const auto awake = [] { return running()->seating().awake(); };
    wait_for([&] { return steals() > 100; });
    {
        std::atomic<int> inside{0};
        std::vector<std::thread> others;
        for (int i = 0; i < 2; ++i)
            others.emplace_back([&] {
                run([&] {
                    ++inside;
                    wait_for([&] { return leave.load(); });
                });
            });
        wait_for([&] { return inside == 2 && awake() == 0; });
        const std::uint64_t before = steals();
        for (int i = 0; i < 20; ++i) {
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
            EXPECT_EQ(awake(), 0);
        }
        EXPECT_EQ(steals(), before);
        leave = true;
        for (std::thread &each : others)
            each.join();
    }
    wait_for([&, before = steals()] { return steals() > before + 100; });
    over = true;
    offers.join();
}

class eight_threads : public testing::TestWithParam<unsigned> {};

TEST_P(eight_threads, enter_ten_thousand_times) {
    const started some(GetParam());
    const int rounds = is_slow ? 300 : 10'000;
    reducer<add<long>> sum;
    std::atomic<int> wrong{0};
    std::array<std::atomic<bool>, 64> has_thread{};
    on_threads(8, [&](int number) {
        for (int i = 0; i < rounds; ++i) {
            const long expected = number + i;
            const long seen = run([&] {
                const auto id = static_cast<std::size_t>(worker_id());
                if (id >= has_thread.size() || has_thread[id].exchange(true))
                    ++wrong;
                else
                    has_thread[id] = false;
                *sum += 1;
                if (i % 16 == 0)
                    parallel_for(0, 20, [&](int) { *sum += 1; });
                return expected;
            });
            if (seen != expected || worker_id() != -1)
                ++wrong;
        }
    });
    EXPECT_EQ(wrong, 0);
    EXPECT_EQ(sum.get(), 8L * rounds + 8L * ((rounds + 15) / 16) * 20);
}

INSTANTIATE_TEST_SUITE_P(entry, eight_threads, testing::Values(1U, 2U, 4U, 8U));

// Whoever calls may hold a lock while its root is under way, and the tasks of another root may want
// it: if the thread worked for that one while it waits, it would wait for itself.
TEST(entry, a_thread_works_for_its_own_root_only) {
    const started some(3);
    std::atomic<bool> over{false};
    std::atomic<std::thread::id> holder{};
    std::atomic<long> waits_for_itself{0}, tasks{0};
    std::thread other([&] {
        while (!over)
            run([&] {
                parallel_for(0, 64, [&](int) {
                    if (holder.load() == std::this_thread::get_id())
                        ++waits_for_itself;
                    ++tasks;
                    fib(6);
                });
            });
    });
    wait_for([&] { return tasks != 0; });
    for (int i = 0; i < 30; ++i) {
        holder = std::this_thread::get_id();
        // What it waits for has been taken, and takes a while.
        std::atomic<bool> taken{false};
        run([&] {
            parallel_invoke([&] { wait_for([&] { return taken.load(); }); },
                            [&] {
                                taken = true;
                                std::this_thread::sleep_for(std::chrono::milliseconds(3));
                            });
        });
        holder = std::thread::id();
    }
    over = true;
    other.join();
    EXPECT_EQ(waits_for_itself, 0);
}

TEST(entry, while_others_stop_and_start_the_workers) {
    std::atomic<int> left{3};
    std::thread stopper([&] {
        while (left != 0) {
            const int error = sg_stop();
            ASSERT_TRUE(error == 0 || error == EBUSY);
            std::this_thread::yield();
        }
    });
    setenv("SAGUARO_WORKERS", "3", 1);
    std::atomic<int> wrong{0};
    on_threads(3, [&](int) {
        for (int i = 0; i < (is_slow ? 50 : 500); ++i)
            wrong += run([] { return fib(8); }) != 21;
        --left;
    });
    stopper.join();
    EXPECT_EQ(wrong, 0);
    EXPECT_EQ(sg_stop(), 0);
    unsetenv("SAGUARO_WORKERS");
}

} // namespace
} // namespace saguaro::scheduler
