// SPDX-License-Identifier: MIT
// Tests of pools whose workers live: results and their order, limits of what waits, bad input.
#include "pools.hpp"

#include "saguaro/detail/sanitizers.h"
#include "saguaro/worker_pool.h"
#include "saguaro/worker_pool.hpp"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <new>
#include <stdexcept>
#include <string>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace saguaro {

namespace {

using test_support::counts;
using test_support::numbers;
using test_support::outcome;
using test_support::run_job;

TEST(pools_supervisor, results_come_in_the_order_of_the_jobs) {
    for (const unsigned workers : {0U, 1U, 2U, 7U})
        expect_quiet_success(run_job([=] {
            std::size_t next = 0;
            bool is_right = true;
            worker_pool pool({.workers = workers});
            pool.run(
                numbers(3000), [](int n) { return 2 * n; },
                [&](std::size_t job, job_result<int> result) {
                    is_right =
                        is_right && job == next && result.value() == 2 * static_cast<int>(job);
                    ++next;
                });
            // No worker is left.
            return is_right && next == 3000 && pool.restarts() == 0 &&
                           waitpid(-1, nullptr, WNOHANG) < 0 && errno == ECHILD
                       ? 0
                       : 1;
        }));
}

TEST(pools_supervisor, jobs_and_results_of_many_types) {
    expect_quiet_success(run_job([] {
        worker_pool pool({.workers = 2});
        const std::vector<std::string> words = {"one", "", "three"};
        const auto lengths = pool.map(words, &std::string::size);
        const auto twice = pool.map(words, [](const std::string &word) { return word + word; });
        const auto lists = pool.map(numbers(4), [](int n) { return numbers(n * 100'000); });
        const auto nothing = pool.map(words, [](const std::string &) {});
        return lengths[2].value() == 5 && twice[2].value() == "threethree" &&
                       twice[1].value().empty() && twice[1].error().empty() &&
                       lists[0].value().empty() && lists[3].value() == numbers(300'000) &&
                       nothing.size() == 3 && nothing[0]
                   ? 0
                   : 1;
    }));
}

TEST(pools_supervisor, no_jobs) {
    expect_quiet_success(run_job([] {
        worker_pool pool;
        return pool.map(numbers(0), [](int n) { return n; }).empty() ? 0 : 1;
    }));
}

// A worker runs ahead by what its channel holds, and waits then.
TEST(pools_supervisor, others_run_ahead_of_a_slow_job) {
    expect_quiet_success(run_job([] {
        const counts done(1);
        constexpr int ahead = 257; // 256 in the channel, and one that waits
        int highest = 0;
        bool is_right = true;
        std::size_t next = 0;
        worker_pool({.workers = 2})
            .run(
                numbers(1000),
                [=, &highest](int n) {
                    while (n == 0 && done[0] < ahead)
                        usleep(100);
                    if (n != 0)
                        ++done[0];
                    return n == 0 ? done[0].load() : highest;
                },
                [&](std::size_t job, job_result<int> result) {
                    is_right = is_right && job == next++;
                    is_right = is_right && result.value() == (job == 0 ? ahead : 0);
                    highest = 1; // which no worker sees
                });
        return is_right && next == 1000 ? 0 : 1;
    }));
}

TEST(pools_supervisor, the_function_has_state_that_no_worker_changes_for_others) {
    expect_quiet_success(run_job([] {
        struct counter {
            int *calls;
            std::string prefix;
            std::string operator()(int n) const {
                ++*calls; // its worker's alone
                return prefix + std::to_string(n);
            }
        };
        int calls = 0;
        const auto all = worker_pool({.workers = 2}).map(numbers(10), counter{&calls, "job "});
        return calls == 0 && all[9].value() == "job 9" ? 0 : 1;
    }));
}

TEST(pools_supervisor, what_the_taker_throws_ends_the_run) {
    expect_quiet_success(run_job([] {
        int taken = 0;
        try {
            worker_pool({.workers = 3})
                .run(
                    numbers(100'000),
                    [](int n) {
                        if (n > 500)
                            pause();
                        return n;
                    },
                    [&](std::size_t, const job_result<int> &) {
                        if (++taken == 5)
                            throw std::runtime_error("enough");
                    });
        } catch (const std::runtime_error &enough) {
            return std::strcmp(enough.what(), "enough") == 0 && taken == 5 &&
                           waitpid(-1, nullptr, WNOHANG) < 0
                       ? 0
                       : 1;
        }
        return 2;
    }));
}

// Of the taker's exceptions this one too is not the pool's.
TEST(pools_supervisor, a_taker_without_memory_ends_the_run) {
    expect_quiet_success(run_job([] {
        const counts begun(2);
        worker_pool pool({.workers = 1});
        try {
            pool.run(
                numbers(2),
                [=](int n) {
                    if (begun[static_cast<std::size_t>(n)]++ == 0)
                        std::_Exit(3);
                },
                [](std::size_t job, const job_result<std::monostate> &) {
                    if (job == 1)
                        throw std::bad_alloc();
                });
        } catch (const std::bad_alloc &) {
            return pool.restarts() == 2 ? 0 : 1;
        }
        return 2;
    }));
}

TEST(pools_supervisor, two_threads_have_pools) {
    expect_quiet_success(run_job([] {
        const auto sum = [](int &into) {
            worker_pool({.workers = 2})
                .run(
                    numbers(2000), [](int n) { return n; },
                    [&](std::size_t, const job_result<int> &result) { into += result.value(); });
        };
        int here = 0;
        int there = 0;
        std::thread other([&] { sum(there); });
        sum(here);
        other.join();
        return here == 1999 * 1000 && there == here ? 0 : 1;
    }));
}

TEST(pools_supervisor, a_job_has_a_pool_of_its_own) {
    expect_quiet_success(run_job([] {
        const auto all = worker_pool({.workers = 2}).map(numbers(4), [](int n) {
            int sum = 0;
            worker_pool({.workers = 2})
                .run(
                    numbers(n), [](int m) { return m; },
                    [&](std::size_t, const job_result<int> &result) { sum += result.value(); });
            return sum;
        });
        return all[3].value() == 3 ? 0 : 1;
    }));
}

// ---- C ----

int appends(void *, std::size_t job, sg_job_result *result) {
    sg_job_result_append(result, "ab", 2);
    sg_job_result_append(result, &job, job == 1 ? 0 : 1);
    return job == 2;
}

int takes(void *context, std::size_t job, const void *result, std::size_t size, const char *error) {
    auto &into = *static_cast<std::string *>(context);
    if (error != nullptr)
        into += error;
    else
        into.append(static_cast<const char *>(result), size);
    return job == 3;
}

TEST(pools_supervisor, in_c) {
    expect_quiet_success(run_job([] {
        std::string got;
        std::size_t restarts = 1;
        const int how = sg_worker_pool_run(nullptr, 100, appends, takes, &got, &restarts);
        const std::string expected("ab\0abjob 2: ab\2ab\3", 18);
        return how == ECANCELED && got == expected && restarts == 0 ? 0 : 1;
    }));
}

TEST(pools_supervisor, the_highest_limits) {
    expect_quiet_success(run_job([] {
        std::string got;
        const sg_worker_pool_options options = {1, 1, UINT64_MAX, UINT64_MAX};
        const auto slow = [](void *, std::size_t, sg_job_result *result) {
            usleep(50'000); // it is looked after
            sg_job_result_append(result, "a", 1);
            return 0;
        };
        return sg_worker_pool_run(&options, 2, slow, takes, &got, nullptr) == 0 && got == "aa" ? 0
                                                                                               : 1;
    }));
}

// The caller has room for the message, and not for the line that names the error.
TEST(pools_supervisor, no_memory_for_a_result) {
    if (SG_ADDRESS_SANITIZER || SG_THREAD_SANITIZER)
        GTEST_SKIP() << "a sanitizer has a heap of its own";
    const outcome seen = run_job([] {
        const auto fails = [](void *, std::size_t job, sg_job_result *result) {
            const std::string text(job == 1 ? 16 << 20 : 1, 'x');
            sg_job_result_append(result, text.data(), text.size());
            return job == 1 ? 1 : 0;
        };
        const auto takes_little = [](void *, std::size_t job, const void *, std::size_t,
                                     const char *) {
            rlimit limit = {};
            getrlimit(RLIMIT_AS, &limit);
            rlim_t pages = 0;
            std::ifstream("/proc/self/statm") >> pages;
            limit.rlim_cur = pages * 4096 + (24 << 20);
            return job == 0 ? setrlimit(RLIMIT_AS, &limit) : 7;
        };
        std::size_t restarts = 1;
        const int how = sg_worker_pool_run(nullptr, 2, fails, takes_little, nullptr, &restarts);
        return how == ENOMEM && restarts == 0 ? 0 : 1;
    });
    EXPECT_TRUE(seen.exited_with(0)) << seen.status << seen.err;
    EXPECT_NE(seen.err.find("no memory for a pool of 2 jobs"), std::string::npos) << seen.err;
}

void expect_refusal(const sg_worker_pool_options &options, sg_job_function *compute,
                    sg_job_taker *take, const char *words) {
    const outcome seen = run_job([&] {
        return sg_worker_pool_run(&options, 1, compute, take, nullptr, nullptr) == EINVAL ? 0 : 1;
    });
    EXPECT_TRUE(seen.exited_with(0)) << seen.status;
    EXPECT_NE(seen.err.find(words), std::string::npos) << seen.err;
    EXPECT_EQ(test_support::lines_in(seen.err), 1U) << seen.err;
}

TEST(pools_supervisor, bad_input_is_refused) {
    expect_refusal({}, nullptr, takes, "a null pointer for the function that computes");
    expect_refusal({}, appends, nullptr, "a null pointer for the function that takes results");
    expect_refusal({5000, 0, 0, 0}, appends, takes, "5000 workers: up to 4096 are possible");
}

TEST(pools_supervisor, bad_options_throw) {
    const auto first = [](int n) { return n; };
    EXPECT_THROW(worker_pool({.attempts = 0}).map(numbers(1), first), std::invalid_argument);
    EXPECT_THROW(worker_pool({.time_limit = std::chrono::seconds(-1)}).map(numbers(1), first),
                 std::invalid_argument);
}

TEST(pools_supervisor, more_jobs_than_there_is_memory_for) {
    const outcome seen = run_job([] {
        return sg_worker_pool_run(nullptr, SIZE_MAX / 2, appends, takes, nullptr, nullptr) == ENOMEM
                   ? 0
                   : 1;
    });
    EXPECT_TRUE(seen.exited_with(0)) << seen.status;
    EXPECT_NE(seen.err.find("no memory for a pool of "), std::string::npos) << seen.err;
}

} // namespace

} // namespace saguaro
