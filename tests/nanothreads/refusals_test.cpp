// SPDX-License-Identifier: MIT
// Deadlocks, misuse, bad input: one line each.
#include "designs.hpp"
#include "saguaro/nanothreads.hpp"
#include "saguaro/run.hpp"
#include "stacks/sanitizers.hpp"

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <gtest/gtest.h>
#include <sched.h>
#include <string>
#include <sys/resource.h>
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

// The task's worker would be a processor: a thief could take a nano-thread away.
TEST(nanothreads_refusals, a_run_by_a_task) {
    saguaro::run([] {
        const auto [error, said] = run_and_listen({}, [] {});
        EXPECT_EQ(error, EPERM);
        EXPECT_EQ(said,
                  "saguaro: sg_nt_run was called by a task, whose worker cannot be a processor "
                  "of nano-threads as well: call it outside saguaro::run\n");
    });
    EXPECT_EQ(sg_nt_run(nullptr, nothing, nullptr, nullptr), 0);
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

using nanothreads_refusals_DeathTest = testing::Test;

TEST(nanothreads_refusals_DeathTest, callers_that_are_no_nano_threads) {
    const auto by_nobody = [](const char *name) {
        return std::string("^saguaro: nano-threads: ") + name +
               " was called by a thread that is no nano-thread\n$";
    };
    const auto two = testing::ExitedWithCode(2);
    EXPECT_EXIT(sg_nt_fork(nothing, nullptr), two, by_nobody("sg_nt_fork"));
    EXPECT_EXIT(sg_nt_create(nothing, nullptr, 0, nullptr, 0), two, by_nobody("sg_nt_create"));
    EXPECT_EXIT(sg_nt_join(), two, by_nobody("sg_nt_join"));
    EXPECT_EXIT(sg_nt_block(), two, by_nobody("sg_nt_block"));
    EXPECT_EXIT(sg_nt_yield(), two, by_nobody("sg_nt_yield"));
    EXPECT_EXIT(sg_nt_expect(1), two, by_nobody("sg_nt_expect"));
    EXPECT_EXIT(sg_nt_satisfy(nullptr), two, by_nobody("sg_nt_satisfy"));
    EXPECT_EXIT(sg_nt_unblock(nullptr), two, by_nobody("sg_nt_unblock"));
}

TEST(nanothreads_refusals_DeathTest, a_setting_that_is_not_accepted) {
    const auto with_design = [](const char *value) {
        setenv("SAGUARO_NANOTHREADS_DESIGN", value, 1);
        sg_nt_run(nullptr, nothing, nullptr, nullptr);
    };
    EXPECT_EXIT(with_design("many"), testing::ExitedWithCode(2),
                "^saguaro: nano-threads: SAGUARO_NANOTHREADS_DESIGN=many is not accepted: one of "
                "dsr, lsa, dos\n$");
}

TEST(nanothreads_refusals_DeathTest, more_satisfied_than_there_are_dependences) {
    const auto misuse = [] {
        run([] {
            expect(1);
            satisfy(self());
            satisfy(self());
            join();
        });
    };
    EXPECT_EXIT(misuse(), testing::ExitedWithCode(2),
                "^saguaro: nano-threads: a nano-thread has fewer dependences left than were "
                "satisfied\n$");
}

#if !SG_ANNOTATE_STACKS
// Deeper than its stack; the frames may not be one.
[[gnu::noinline]] int deeper(int depth) {
    volatile char frame[512] = {};
    frame[0] = static_cast<char>(depth);
    return depth == 0 ? 0 : deeper(depth - 1) + frame[0];
}

// The first line is a handle, and the second says whose it is.
class says_who : public testing::MatcherInterface<const std::string &> {
public:
    bool MatchAndExplain(const std::string &said, testing::MatchResultListener *) const override {
        const std::string handle = said.substr(0, said.find('\n'));
        return said.find("\nsaguaro: nano-thread " + handle + " overflowed ") != said.npos;
    }
    void DescribeTo(std::ostream *out) const override { *out << "names the thread"; }
};

TEST(nanothreads_refusals_DeathTest, a_stack_that_is_too_small) {
    const auto too_deep = [] {
        std::fprintf(stderr, "%p\n", static_cast<void *>(self()));
        deeper(100'000);
    };
    EXPECT_EXIT(run([&] { fork(too_deep); }), testing::KilledBySignal(SIGSEGV),
                testing::Matcher<const std::string &>(new says_who));
    EXPECT_EXIT(run([&] { fork(too_deep); }), testing::KilledBySignal(SIGSEGV),
                " overflowed its stack of [0-9]* bytes; "
                "SAGUARO_NANOTHREADS_STACK_SIZE=BYTES makes it larger\n");
}

#if !defined(SG_TEST_EMULATED) // the limit would be the emulator's
// Address space of a gigabyte, and stacks that need more of it.
TEST(nanothreads_refusals_DeathTest, no_memory) {
    const auto with_little = [](const char *design, auto f) {
        const rlimit little{std::size_t{1} << 30, std::size_t{1} << 30};
        if (setrlimit(RLIMIT_AS, &little) != 0)
            std::exit(1);
        options chosen{};
        chosen.design = design;
        chosen.processors = 1;
        chosen.stack_bytes = 1 << 24;
        f(chosen);
    };
    const auto create_many = [](const options &chosen) {
        run(chosen, [] {
            for (int i = 0; i < 1000; ++i)
                if (sg_nt_fork(nothing, nullptr) == nullptr)
                    std::exit(errno == ENOMEM ? 3 : 1);
        });
    };
    const auto begin_many = [](const options &chosen) {
        run(chosen, [] {
            for (int i = 0; i < 1000; ++i)
                fork([] { block(); });
            join();
        });
    };
    EXPECT_EXIT(with_little("dos", create_many), testing::ExitedWithCode(3), "");
    EXPECT_EXIT(with_little("dsr", begin_many), testing::ExitedWithCode(2),
                "^saguaro: nano-threads: no memory for the stack of a nano-thread that is to "
                "begin: too many others have begun and wait\n$");
}
#endif
#endif

} // namespace

} // namespace saguaro::nt
