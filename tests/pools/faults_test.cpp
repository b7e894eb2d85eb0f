// SPDX-License-Identifier: MIT
// Tests of workers that crash, hang, take memory, throw, or are killed at any moment.
#include "pools.hpp"

#include "saguaro/worker_pool.hpp"
#include "support/forbidden_call.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <pthread.h>
#include <sched.h>
#include <stdexcept>
#include <string>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

namespace saguaro {

namespace {

using namespace std::chrono_literals;
using test_support::counts;
using test_support::numbers;
using test_support::outcome;
using test_support::run_job;

// What no number of attempts is enough for by chance.
constexpr unsigned many = 1000;

// The calling process ends at some moment when it has used a processor for up to 16 ms. That of
// other moments needs a signal whose default is to end it.
void end_at_some_moment() {
    static pid_t armed = 0;
    if (armed == getpid())
        return;
    armed = getpid();
    const itimerval when = {{0, 0}, {0, 500 + armed * 7919 % 15'000}};
    setitimer(ITIMER_PROF, &when, nullptr);
}

std::string digits_of(int n) {
    std::string text;
    for (int i = 0; i < 2000; ++i)
        text = std::to_string(n * 31 + i) + text.substr(0, 50);
    return text + (n % 50 == 0 ? std::string(100'000, 'x') : "\n"); // some are large messages
}

TEST(pools_faults, workers_that_are_killed_at_random_moments) {
    expect_quiet_success(run_job([] {
        std::string expected;
        for (const int n : numbers(300))
            expected += digits_of(n);
        std::string got;
        worker_pool pool({.workers = 2, .attempts = many});
        pool.run(
            numbers(300),
            [](int n) {
                end_at_some_moment();
                return digits_of(n);
            },
            [&](std::size_t, const job_result<std::string> &result) { got += result.value(); });
        return got == expected && pool.restarts() > 5 ? 0 : 1;
    }));
}

// Each job crashes once, and the next worker begins with it.
TEST(pools_faults, a_job_that_crashed_runs_again) {
    expect_quiet_success(run_job([] {
        const counts begun(100);
        worker_pool pool({.workers = 2});
        const auto all = pool.map(numbers(100), [=](int n) {
            if (begun[static_cast<std::size_t>(n)]++ == 0)
                raise(n % 2 == 0 ? SIGKILL : SIGABRT);
            return n;
        });
        for (int n = 0; n < 100; ++n)
            if (all[static_cast<std::size_t>(n)].value() != n ||
                begun[static_cast<std::size_t>(n)] != 2)
                return 1;
        return pool.restarts() == 100 ? 0 : 2;
    }));
}

TEST(pools_faults, a_job_that_always_crashes_is_an_error) {
    expect_quiet_success(run_job([] {
        const counts begun(10);
        const auto all = worker_pool({.workers = 2, .attempts = 4}).map(numbers(10), [=](int n) {
            ++begun[static_cast<std::size_t>(n)];
            if (n == 3)
                raise(SIGABRT);
            if (n == 5)
                std::_Exit(7);
            if (n == 9)
                raise(SIGKILL);
            return n;
        });
        for (const int n : {0, 1, 2, 4, 6, 7, 8})
            if (all[static_cast<std::size_t>(n)].value() != n)
                return 1;
        try {
            all[3].value();
            return 2;
        } catch (const std::runtime_error &error) {
            if (error.what() != all[3].error())
                return 3;
        }
        return all[3].error() == "job 3: signal 6 (Aborted), in 4 attempts" &&
                       all[5].error() == "job 5: exit code 7, in 4 attempts" &&
                       all[9].error() == "job 9: signal 9 (Killed), in 4 attempts" && begun[3] == 4
                   ? 0
                   : 4;
    }));
}

// SIGKILL may come from outside, so it is no cause where there is another one.
TEST(pools_faults, the_cause_is_not_the_kill) {
    expect_quiet_success(run_job([] {
        const counts begun(1);
        const auto all = worker_pool({.workers = 2}).map(numbers(1), [=](int) {
            raise(++begun[0] == 2 ? SIGABRT : SIGKILL);
        });
        return all[0].error() == "job 0: signal 6 (Aborted), in 3 attempts" ? 0 : 1;
    }));
}

TEST(pools_faults, a_job_that_hangs_runs_again) {
    expect_quiet_success(run_job([] {
        const counts begun(20);
        worker_pool pool({.workers = 2, .attempts = many, .time_limit = 20ms});
        const auto all = pool.map(numbers(20), [=](int n) {
            if (begun[static_cast<std::size_t>(n)]++ == 0 && n % 10 == 3)
                for (;;)
                    pause();
            return n;
        });
        for (int n = 0; n < 20; ++n)
            if (all[static_cast<std::size_t>(n)].value() != n)
                return 1;
        return pool.restarts() >= 2 ? 0 : 2;
    }));
}

TEST(pools_faults, a_job_that_always_hangs_is_an_error) {
    expect_quiet_success(run_job([] {
        const auto all =
            worker_pool({.workers = 1, .attempts = 2, .time_limit = 20ms}).map(numbers(1), [](int) {
                for (;;)
                    pause();
            });
        return all[0].error() == "job 0: ran longer than 0.02 s, in 2 attempts" ? 0 : 1;
    }));
}

TEST(pools_faults, a_job_that_takes_too_much_memory_is_an_error) {
    expect_quiet_success(run_job([] {
        const std::string large(100 << 20, 'a'); // which the workers have from their parent
        const auto all = worker_pool({.workers = 2, .attempts = 2, .memory_limit = 40 << 20})
                             .map(numbers(6), [&](int n) {
                                 if (n == 2)
                                     usleep(50'000); // its memory is looked at
                                 if (n != 4)
                                     return large[static_cast<std::size_t>(n)];
                                 std::string own(80 << 20, 'b');
                                 for (;;)
                                     usleep(own[0] == 'b' ? 1000 : 1);
                             });
        for (const std::size_t n : {0U, 1U, 2U, 3U, 5U})
            if (all[n].value() != 'a')
                return 1;
        return all[4].error() == "job 4: took more than 40 MB of memory, in 2 attempts" ? 0 : 2;
    }));
}

// It would throw again.
TEST(pools_faults, a_job_that_throws_is_an_error_at_once) {
    expect_quiet_success(run_job([] {
        const counts begun(3);
        worker_pool pool({.workers = 2});
        const auto all = pool.map(numbers(3), [=](int n) {
            ++begun[static_cast<std::size_t>(n)];
            if (n == 1)
                throw std::runtime_error("no picture");
            if (n == 2)
                throw std::bad_alloc();
            return n;
        });
        return all[0] && all[1].error() == "job 1: std::runtime_error: no picture" &&
                       all[2].error() == "job 2: std::bad_alloc: std::bad_alloc" && begun[1] == 1 &&
                       pool.restarts() == 0
                   ? 0
                   : 1;
    }));
}

TEST(pools_faults, a_job_that_ends_its_thread_is_an_error) {
    const outcome seen = run_job([] {
        const auto all =
            worker_pool({.attempts = 1}).map(numbers(1), [](int) { pthread_exit(nullptr); });
        return all[0].error() == "job 0: exit code 2, in 1 attempt" ? 0 : 1;
    });
    EXPECT_TRUE(seen.exited_with(0)) << seen.status << seen.err;
    EXPECT_NE(seen.err.find("its function called pthread_exit"), std::string::npos) << seen.err;
}

// 256 results fill the channel, the first of them being taken, so the worker waits for room.
TEST(pools_faults, a_worker_that_dies_while_it_sends_is_counted) {
    expect_quiet_success(run_job([] {
        const counts worker(300);
        bool is_right = true;
        worker_pool pool({.workers = 1, .attempts = 1});
        pool.run(
            numbers(300),
            [=](int n) {
                worker[static_cast<std::size_t>(n)] = getpid();
                return n;
            },
            [&](std::size_t job, const job_result<int> &result) {
                if (job == 0) {
                    while (worker[256] == 0)
                        usleep(1000);
                    usleep(20'000);
                    kill(worker[256], SIGKILL);
                }
                is_right =
                    is_right &&
                    (job == 256 ? result.error() == "job 256: signal 9 (Killed), in 1 attempt"
                                : result && result.value() == static_cast<int>(job));
            });
        return is_right && pool.restarts() == 1 ? 0 : 1;
    }));
}

// What a worker takes before the caller's fork has returned is the worker's: the first one is
// ended.
TEST(pools_faults, memory_that_is_taken_at_once_counts) {
    expect_quiet_success(run_job([] {
        static const counts has_taken(1);
        static bool is_first = true;
        pthread_atfork(
            nullptr,
            [] {
                while (has_taken[0] == 0)
                    usleep(500);
                is_first = false;
            },
            [] {
                if (is_first)
                    mmap(nullptr, 16 << 20, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
                has_taken[0] = 1;
            });
        worker_pool pool({.workers = 1, .attempts = 2, .memory_limit = 8 << 20});
        const auto all = pool.map(numbers(1), [](int) { sleep(is_first ? 20 : 0); });
        return all[0] && pool.restarts() == 1 ? 0 : 1;
    }));
}

// What its job began before, the next worker begins with, whoever else is free.
TEST(pools_faults, results_before_the_crash_come_first) {
    expect_quiet_success(run_job([] {
        const counts begun(50);
        std::string got;
        worker_pool({.workers = 1})
            .run(
                numbers(50),
                [=](int n) {
                    if (n == 40 && begun[40]++ == 0)
                        raise(SIGKILL); // 40 results wait in the channel
                    return std::to_string(n);
                },
                [&](std::size_t, const job_result<std::string> &result) {
                    if (got.empty())
                        while (begun[40] == 0)
                            usleep(1000);
                    got += result.value() + " ";
                });
        std::string expected;
        for (const int n : numbers(50))
            expected += std::to_string(n) + " ";
        return got == expected ? 0 : 1;
    }));
}

// Each tenth job ends its worker once. The first job is slow: it goes on until no other one does.
TEST(pools_faults, results_that_wait_are_few_whatever_ends) {
    expect_quiet_success(run_job([] {
        constexpr int count = 3000;
        const counts begun(count);
        const counts done(1);
        const auto all = worker_pool({.workers = 2}).map(numbers(count), [=](int n) {
            if (begun[static_cast<std::size_t>(n)]++ == 0 && n % 10 == 5)
                raise(SIGKILL);
            if (n != 0)
                return ++done[0];
            int before;
            do {
                before = done[0];
                usleep(100'000);
            } while (done[0] != before || before == 0);
            return before;
        });
        for (const auto &each : all)
            if (!each)
                return 1;
        return all[0].value() <= 257 + 16 ? 0 : 2;
    }));
}

// The system makes no more processes for the calling thread, but those that share its memory: the
// search for leaks needs one.
bool forks_no_more() {
    return test_support::filter_calls(std::array<sock_filter, 6>{{
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 0, 3),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, args)), // the lower half
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, CLONE_VM, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EAGAIN),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    }});
}

// One of two workers ends, and the other one computes for a while; a job is free. The pool tries a
// few times to replace the first, and not at each look.
TEST(pools_faults, a_refused_worker_is_tried_again_after_pauses) {
    const outcome seen = run_job([] {
        static int tries = 0;
        static bool has_filter = false;
        pthread_atfork([] { ++tries; }, nullptr, nullptr);
        const counts go(1);
        worker_pool pool({.workers = 2, .attempts = 1});
        int taken = 0;
        pool.run(
            numbers(4),
            [=](int n) {
                while (n != 0 && go[0] == 0)
                    usleep(1000);
                if (n == 1)
                    raise(SIGKILL);
                if (n == 2)
                    usleep(700'000);
            },
            [&](std::size_t job, const job_result<std::monostate> &) {
                ++taken;
                if (job == 0) {
                    has_filter = forks_no_more();
                    go[0] = 1;
                }
            });
        return !has_filter ? 77 : taken == 4 && tries < 12 ? 0 : 1;
    });
    if (seen.exited_with(77))
        GTEST_SKIP() << "there are no filters of system calls";
    expect_quiet_success(seen);
}

TEST(pools_faults, workers_that_never_begin) {
    const outcome seen = run_job([] {
        pthread_atfork(nullptr, nullptr, [] { _exit(7); });
        try {
            worker_pool({.workers = 2}).map(numbers(10), [](int n) { return n; });
        } catch (const std::system_error &error) {
            return error.code().value() == ECHILD ? 0 : 1;
        }
        return 2;
    });
    EXPECT_TRUE(seen.exited_with(0)) << seen.status << seen.err;
    EXPECT_NE(seen.err.find("workers end again and again before they begin a job"),
              std::string::npos)
        << seen.err;
}

} // namespace

} // namespace saguaro
