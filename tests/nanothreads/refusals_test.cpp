// SPDX-License-Identifier: MIT
// Deadlocks, bad input: one line each, and what is returned. Misuse is in deaths_test.cpp.
#include "designs.hpp"
#include "saguaro/nanothreads.hpp"
#include "saguaro/run.hpp"
#include "stacks/sanitizers.hpp"

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <gtest/gtest.h>
#include <sched.h>
#include <string>
#include <sys/wait.h>
#include <system_error>
#include <thread>
#include <unistd.h>
#include <vector>

namespace saguaro::nt {

namespace {

void nothing(void *) {}

// What sg_nt_run returns, and what it says on stderr.
template <class F>
std::pair<int, std::string> run_and_listen(const options &chosen, F f) {
    const sg_nt_options plain{chosen.processors, chosen.stack_bytes, chosen.design};
    testing::internal::CaptureStderr();
    const int error =
        sg_nt_run(&plain, [](void *argument) { (*static_cast<F *>(argument))(); }, &f, nullptr);
    return {error, testing::internal::GetCapturedStderr()};
}

class nanothreads_deadlock : public on_each_design {};

TEST_P(nanothreads_deadlock, of_the_main_thread) {
    const auto [error, said] = run_and_listen(chosen(), [] { block(); });
    EXPECT_EQ(error, EDEADLK);
    EXPECT_EQ(said, "saguaro: nano-threads: deadlock: 1 left and none can run: 1 blocked, 0 "
                    "joining, 0 with dependences that nobody satisfies\n");
}

TEST_P(nanothreads_deadlock, of_each_kind) {
    const auto [error, said] = run_and_listen(chosen(), [] {
        for (int i = 0; i < 3; ++i)
            fork([] { block(); });
        create([] {}, 1);
        create([] {}, 2);
        fork([] {}); // this one ends
        join();
    });
    EXPECT_EQ(error, EDEADLK);
    EXPECT_EQ(said, "saguaro: nano-threads: deadlock: 6 left and none can run: 3 blocked, 1 "
                    "joining, 2 with dependences that nobody satisfies\n");
}

TEST_P(nanothreads_deadlock, leaves_the_next_run_alone) {
    run_and_listen(chosen(), [] { block(); });
    int ran = 0;
    run(chosen(), [&] { ++ran; });
    EXPECT_EQ(ran, 1);
}

TEST_P(nanothreads_deadlock, is_counted_without_what_the_last_one_left) {
    for (const int others : {20, 2}) {
        const auto [error, said] = run_and_listen(chosen(), [&] {
            for (int i = 0; i < others; ++i)
                fork([] { block(); });
            join();
        });
        EXPECT_EQ(said, "saguaro: nano-threads: deadlock: " + std::to_string(others + 1) +
                            " left and none can run: " + std::to_string(others) +
                            " blocked, 1 joining, 0 with dependences that nobody satisfies\n");
    }
}

TEST_P(nanothreads_deadlock, of_one_run_is_not_that_of_another) {
    run(chosen(), [&] {
        std::vector<thread *> blocked;
        for (int i = 0; i < 3; ++i)
            blocked.push_back(fork([] { block(); }));
        yield();
        const auto [error, said] = run_and_listen(chosen(), [] { block(); });
        EXPECT_EQ(error, EDEADLK);
        EXPECT_EQ(said, "saguaro: nano-threads: deadlock: 1 left and none can run: 1 blocked, 0 "
                        "joining, 0 with dependences that nobody satisfies\n");
        for (thread *const t : blocked)
            unblock(t);
        join();
    });
}

SG_ON_EACH_DESIGN(nanothreads_deadlock);

// There is one mask for all who ask who they are.
TEST(nanothreads_refusals, runs_at_once_with_stacks_of_different_sizes) {
    const sg_nt_options larger{0, std::size_t{1} << 20, nullptr};
    run([&] {
        const std::uintptr_t mask = sg_nt_mask;
        EXPECT_EQ(sg_nt_run(&larger, nothing, nullptr, nullptr), EBUSY);
        EXPECT_EQ(sg_nt_mask, mask);
        EXPECT_EQ(sg_nt_run(nullptr, nothing, nullptr, nullptr), 0);
        EXPECT_EQ(sg_nt_run(&larger, nothing, nullptr, nullptr), EBUSY);
    });
    EXPECT_EQ(sg_nt_run(&larger, nothing, nullptr, nullptr), 0);
}

TEST(nanothreads_refusals, a_run_of_no_function) {
    testing::internal::CaptureStderr();
    EXPECT_EQ(sg_nt_run(nullptr, nullptr, nullptr, nullptr), EINVAL);
    EXPECT_EQ(testing::internal::GetCapturedStderr(),
              "saguaro: sg_nt_run: the main nano-thread's function is null\n");
}

TEST(nanothreads_refusals, a_child_knows_of_no_other_threads_runs) {
    std::atomic<bool> begun{false};
    std::atomic<bool> done{false};
    std::thread other([&] {
        run([&] {
            begun = true;
            while (!done)
                sched_yield();
        });
    });
    while (!begun)
        sched_yield();
    const sg_nt_options larger{1, std::size_t{1} << 20, nullptr};
    EXPECT_EQ(sg_nt_run(&larger, nothing, nullptr, nullptr), EBUSY);
    const pid_t child = ::fork();
    if (child == 0)
        _exit(sg_nt_run(&larger, nothing, nullptr, nullptr));
    int status = -1;
    EXPECT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
    done = true;
    other.join();
}

#if !SG_ADDRESS_SANITIZER && !SG_THREAD_SANITIZER // their malloc ends the program
class nanothreads_refusal : public on_each_design {};

// More successors than there is memory for. What was not made is not waited for.
TEST_P(nanothreads_refusal, a_thread_without_memory_for_its_successors) {
    const auto [error, said] = run_and_listen(chosen(), [] {
        for (int i = 0; i < 3; ++i) {
            errno = 0;
            EXPECT_EQ(sg_nt_create(nothing, nullptr, 0, nullptr, std::size_t{1} << 59), nullptr);
            EXPECT_EQ(errno, ENOMEM);
        }
        fork([] {});
        join();
    });
    EXPECT_EQ(std::pair(error, said), std::pair(0, std::string()));
}

SG_ON_EACH_DESIGN(nanothreads_refusal);
#endif

// What has been satisfied before it is expected, but not before a fork or a join, counts.
TEST(nanothreads_refusals, not_of_what_is_expected_late) {
    const auto [error, said] = run_and_listen({.processors = 1}, [] {
        create([] {}, 0, {self()});
        yield();
        expect(1);
        join();
    });
    EXPECT_EQ(std::pair(error, said), std::pair(0, std::string()));
}

TEST(nanothreads_refusals, options_out_of_range) {
    options many{};
    many.processors = 5000;
    EXPECT_EQ(run_and_listen(many, [] {}),
              std::pair(EINVAL, std::string("saguaro: sg_nt_run: SAGUARO_WORKERS=5000 is not "
                                            "accepted: a whole number from 1 to 4096\n")));
    options small{};
    small.stack_bytes = 1000;
    EXPECT_EQ(run_and_listen(small, [] {}),
              std::pair(EINVAL, std::string("saguaro: sg_nt_run: SAGUARO_NANOTHREADS_STACK_SIZE="
                                            "1000 is not accepted: a whole number from 16384 to "
                                            "1073741824\n")));
    options unknown{};
    unknown.design = "eager";
    EXPECT_EQ(run_and_listen(unknown, [] {}),
              std::pair(EINVAL, std::string("saguaro: sg_nt_run: SAGUARO_NANOTHREADS_DESIGN=eager "
                                            "is not accepted: one of dsr, lsa, dos\n")));
}

} // namespace

} // namespace saguaro::nt
