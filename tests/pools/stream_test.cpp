// SPDX-License-Identifier: MIT
// Tests of pools whose jobs are given one by one: ends, limits, workers that are too old, waiting.
#include "pools.hpp"
#include "pools/given.hpp"

#include "saguaro/worker_pool.h"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace saguaro {

namespace {

using test_support::counts;
using test_support::has;
using test_support::outcome;
using test_support::run_job;

constexpr std::uint64_t a_minute = 60'000'000'000;

// A stream of jobs that are numbers, and one word that all workers see.
class numbers_stream {
public:
    using function = int (*)(int number, sg_job_result *result);

    explicit numbers_stream(function compute, unsigned workers = 2, unsigned attempts = 0,
                            std::uint64_t time_limit = 0, void (*begin)(void *) = nullptr) {
        const sg_worker_pool_options options = {workers, attempts, time_limit, 0};
        const sg_job_stream_functions functions = {
            [](void *of, const void *data, std::size_t, sg_job_result *result) {
                int number = 0;
                std::memcpy(&number, data, sizeof(number));
                return reinterpret_cast<function>(of)(number, result);
            },
            begin, reinterpret_cast<void *>(compute), nullptr};
        stream_ = sg_job_stream_open(&options, &functions);
    }
    ~numbers_stream() { sg_job_stream_free(stream_); }
    numbers_stream(const numbers_stream &) = delete;
    numbers_stream &operator=(const numbers_stream &) = delete;

    int give(int number, unsigned attempts = 0) {
        return sg_job_stream_give(stream_, &number, sizeof(number), attempts);
    }

    int next(std::uint64_t wait_ns = a_minute) {
        return sg_job_stream_next(stream_, wait_ns, &end_);
    }

    int result() const {
        int number = 0;
        std::memcpy(&number, end_.result, sizeof(number));
        return number;
    }

    const sg_job_end &end() const { return end_; }
    sg_job_stream *get() { return stream_; }

private:
    sg_job_stream *stream_;
    sg_job_end end_{};
};

int append(sg_job_result *to, int number) {
    sg_job_result_append(to, &number, sizeof(number));
    return 0;
}

int twice(int number, sg_job_result *result) {
    return append(result, 2 * number);
}

void expect_quiet(const std::function<bool()> &is_right) {
    expect_quiet_success(run_job([&] { return is_right() ? 0 : 1; }));
}

TEST(pools_stream, each_job_has_one_end) {
    expect_quiet([] {
        constexpr int jobs = 5000;
        numbers_stream all(twice, 3);
        std::vector<int> ends(jobs);
        int open = 0;
        for (int given = 0, taken = 0; taken < jobs;) {
            while (given < jobs && open < 500 && all.give(given) == 0)
                ++given, ++open;
            if (all.next() != 0 || all.end().error != nullptr ||
                all.result() != 2 * static_cast<int>(all.end().job) || ++ends[all.end().job] != 1)
                return false;
            ++taken;
            --open;
        }
        return sg_job_stream_restarts(all.get()) == 0 && all.next(0) == ETIMEDOUT;
    });
}

TEST(pools_stream, jobs_from_another_thread_reach_a_stream_that_waits) {
    expect_quiet([] {
        numbers_stream all(twice);
        bool is_right = true;
        std::thread giver([&] {
            for (int i = 0; i < 200; ++i) {
                is_right = is_right && all.give(i) == 0;
                if (i % 20 == 0)
                    usleep(2000); // the workers sleep, and so does the stream
            }
        });
        for (int i = 0; i < 200; ++i)
            is_right = all.next() == 0 && is_right;
        giver.join();
        return is_right;
    });
}

TEST(pools_stream, later_jobs_pass_one_that_takes_long) {
    expect_quiet([] {
        static const counts done(1);
        numbers_stream all([](int number, sg_job_result *result) {
            while (number == 0 && done[0] < 9)
                usleep(100);
            return append(result, number);
        });
        for (int i = 0; i < 10; ++i)
            all.give(i);
        for (; done[0] < 9; ++done[0]) // not before the result is here
            if (all.next() != 0 || all.result() == 0)
                return false;
        return all.next() == 0 && all.result() == 0;
    });
}

TEST(pools_stream, a_job_that_crashes_in_each_attempt) {
    expect_quiet([] {
        static const counts begun(3);
        numbers_stream all([](int number, sg_job_result *result) {
            if (++begun[static_cast<std::size_t>(number)] != 0 && number != 1)
                raise(SIGKILL);
            return append(result, number);
        });
        all.give(0);
        all.give(1);
        all.give(2, 1);
        std::string errors[3];
        for (int i = 0; i < 3; ++i)
            if (all.next() == 0 && all.end().error != nullptr)
                errors[all.end().job] = all.end().error;
        return errors[0] == "signal 9 (Killed), in 3 attempts" && errors[1].empty() &&
               errors[2] == "signal 9 (Killed), in 1 attempt" && begun[0] == 3 && begun[2] == 1 &&
               sg_job_stream_restarts(all.get()) >= 2;
    });
}

TEST(pools_stream, a_failure_has_its_text) {
    expect_quiet([] {
        numbers_stream all([](int, sg_job_result *result) {
            sg_job_result_append(result, "no such page", 12);
            return 1;
        });
        all.give(0);
        return all.next() == 0 && all.end().result == nullptr &&
               std::strcmp(all.end().error, "no such page") == 0;
    });
}

TEST(pools_stream, time_limit) {
    expect_quiet([] {
        numbers_stream all(
            [](int number, sg_job_result *result) {
                while (number == 0)
                    pause();
                return append(result, number);
            },
            1, 1, 3'000'000'000);
        all.give(0);
        all.give(1);
        return all.next() == 0 && has(all.end().error, "ran longer than 3 s, in 1 attempt") &&
               all.next() == 0 && all.result() == 1;
    });
}

int version = 0;

// No attempt is counted, so one is enough.
TEST(pools_stream, a_worker_that_is_too_old) {
    expect_quiet([] {
        numbers_stream all(
            [](int number, sg_job_result *result) {
                return version < number ? SG_JOB_NEEDS_NEW_WORKER : append(result, version);
            },
            1, 1);
        all.give(0);
        if (all.next() != 0 || all.result() != 0)
            return false;
        version = 7;
        all.give(7);
        all.give(7);
        return all.next() == 0 && all.result() == 7 && all.next() == 0 && all.result() == 7 &&
               sg_job_stream_restarts(all.get()) == 1;
    });
}

TEST(pools_stream, workers_that_are_always_too_old) {
    const outcome seen = run_job([] {
        numbers_stream all([](int, sg_job_result *) { return SG_JOB_NEEDS_NEW_WORKER; }, 1);
        all.give(0);
        return all.next() == ECHILD ? 0 : 1;
    });
    EXPECT_TRUE(seen.exited_with(0)) << seen.err;
    EXPECT_TRUE(has(seen.err, "workers end again and again")) << seen.err;
}

// As many begin as there are jobs for.
TEST(pools_stream, workers_begin_when_there_are_jobs) {
    expect_quiet([] {
        static const counts begun(1);
        numbers_stream all(twice, 4, 0, 0, [](void *) { ++begun[0]; });
        if (all.next(1'000'000) != ETIMEDOUT || begun[0] != 0)
            return false;
        for (int i = 0; i < 5; ++i)
            if (all.give(i) != 0 || all.next() != 0)
                return false;
        return begun[0] == 1;
    });
}

TEST(pools_stream, a_worker_that_dies_without_a_job) {
    expect_quiet([] {
        numbers_stream all([](int, sg_job_result *result) { return append(result, getpid()); }, 1);
        for (int i = 0; i < 5; ++i) {
            if (all.give(i) != 0 || all.next() != 0)
                return false;
            kill(all.result(), SIGKILL);
        }
        return sg_job_stream_restarts(all.get()) == 4;
    });
}

TEST(pools_stream, no_room_for_more_jobs) {
    expect_quiet([] {
        numbers_stream all(twice);
        int given = 0;
        int refused = 0;
        while ((refused = all.give(given)) == 0)
            ++given;
        // The end that was taken makes room when the next one is: its result stays until then.
        if (given != 65536 || refused != EAGAIN || all.next() != 0 || all.give(given) != EAGAIN)
            return false;
        for (int i = 1; i < given; ++i)
            if (all.next() != 0)
                return false;
        return all.next(0) == ETIMEDOUT && all.give(given) == 0 && all.next() == 0 &&
               all.end().job == 65536 && all.result() == 2 * 65536;
    });
}

TEST(pools_stream, wakes_who_waits) {
    expect_quiet([] {
        numbers_stream all(twice);
        sg_job_stream_wake(all.get());
        if (all.next() != EINTR)
            return false;
        std::thread waker([&] {
            usleep(5000);
            sg_job_stream_wake(all.get());
        });
        const int refused = all.next();
        waker.join();
        return refused == EINTR;
    });
}

// Workers that have no job end by themselves.
TEST(pools_stream, an_end_flushes_what_is_printed) {
    const outcome seen = run_job([] {
        numbers_stream all([](int number, sg_job_result *result) {
            std::printf("job %d\n", number);
            return append(result, number);
        });
        all.give(4);
        return all.next();
    });
    EXPECT_TRUE(seen.exited_with(0)) << seen.err;
    EXPECT_EQ(seen.out, "job 4\n");
}

TEST(pools_stream, an_end_kills_who_computes) {
    expect_quiet([] {
        static const counts begun(1);
        {
            numbers_stream all([](int, sg_job_result *) {
                for (++begun[0];;)
                    pause();
                return 0;
            });
            all.give(0);
            while (begun[0] == 0)
                if (all.next(1'000'000) != ETIMEDOUT)
                    return false;
        }
        return waitpid(-1, nullptr, WNOHANG) < 0 && errno == ECHILD;
    });
}

// What was done in this process and its parent, in their order.
std::string steps;

TEST(pools_stream, an_interpreter_is_told_of_each_fork) {
    expect_quiet([] {
        const sg_interpreter tells = {
            [] { return steps += "enter ", 5; }, [] { steps += "before "; },
            [] { steps += "parent "; }, [] { steps += "child "; },
            [](int entered) { steps += "leave" + std::to_string(entered) + " "; }};
        const sg_worker_pool_options options = {1, 0, 0, 0};
        const sg_job_stream_functions functions = {
            [](void *, const void *, std::size_t, sg_job_result *result) {
                sg_job_result_append(result, steps.data(), steps.size());
                return 0;
            },
            [](void *) { steps += "begin"; }, nullptr, &tells};
        sg_job_stream *const all = sg_job_stream_open(&options, &functions);
        sg_job_end end{};
        sg_job_stream_give(all, "", 0, 0);
        const bool is_right = sg_job_stream_next(all, a_minute, &end) == 0 &&
                              std::string(static_cast<const char *>(end.result), end.size) ==
                                  "enter before child leave5 begin" &&
                              steps == "enter before parent leave5 ";
        sg_job_stream_free(all);
        return is_right;
    });
}

TEST(pools_stream, bad_input) {
    const outcome seen = run_job([] {
        const sg_worker_pool_options options = {5000, 0, 0, 0};
        sg_job_stream_functions functions{};
        const bool is_null = sg_job_stream_open(nullptr, &functions) == nullptr && errno == EINVAL;
        functions.compute = [](void *, const void *, std::size_t, sg_job_result *) { return 0; };
        sg_job_stream_free(nullptr);
        return is_null && sg_job_stream_open(&options, &functions) == nullptr && errno == EINVAL
                   ? 0
                   : 1;
    });
    EXPECT_TRUE(seen.exited_with(0));
    EXPECT_TRUE(has(seen.err, "sg_job_stream_open was given a null pointer")) << seen.err;
    EXPECT_TRUE(has(seen.err, "sg_job_stream_open was given 5000 workers: up to 4096")) << seen.err;
}

// What is done goes back to the system.
TEST(pools_stream, bytes_of_jobs_are_bounded) {
    pools::given_jobs all(4);
    const std::string bytes(1 << 20, 'x');
    std::string read;
    for (std::size_t job = 0; job < 64; ++job) {
        ASSERT_EQ(all.write(job, bytes.data(), bytes.size(), 2), 0);
        all.read(job, read);
        ASSERT_EQ(read, bytes);
        ASSERT_EQ(all.attempts_at(job), 2U);
        all.done_up_to(job + 1);
        ASSERT_LE(all.bytes(), std::size_t{2} << 20);
    }
}

} // namespace

} // namespace saguaro
