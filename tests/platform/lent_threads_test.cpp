// SPDX-License-Identifier: MIT
// Tests of threads that the process keeps and lends.
#include "platform/lent_threads.hpp"

#include "platform/end_of_child.hpp"
#include "platform/idle_threads.hpp"
#include "platform/thread.hpp"
#include "saguaro/detail/sanitizers.h"

#include <atomic>
#include <csignal>
#include <gtest/gtest.h>
#include <pthread.h>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace saguaro::platform {

namespace {

// What a lent thread has found of itself.
struct seen {
    pid_t thread = 0;
    std::string name;
    sigset_t signals;
    cpu_mask cpus = cpu_mask::of_thread(0);
};

void look(void *argument) {
    seen &s = *static_cast<seen *>(argument);
    char name[16] = "";
    pthread_getname_np(pthread_self(), name, sizeof(name));
    s.name = name;
    s.thread = gettid();
    pthread_sigmask(SIG_SETMASK, nullptr, &s.signals);
    s.cpus = cpu_mask::of_thread(0);
}

seen borrow_one(const std::string &name = "lent") {
    seen s;
    lent_threads one;
    one.start(name, look, &s);
    one.join();
    return s;
}

class platform_lent_threads : public testing::Test {
protected:
    void SetUp() override { end_resting_threads(); }
    void TearDown() override { end_resting_threads(); }
};

TEST_F(platform_lent_threads, serve_one_borrower_after_the_other) {
    const pid_t first = borrow_one().thread;
    EXPECT_NE(first, gettid());
    EXPECT_EQ(resting_threads(), 1u);
    for (int i = 0; i < 10; ++i)
        EXPECT_EQ(borrow_one().thread, first);
    EXPECT_EQ(resting_threads(), 1u);
}

TEST_F(platform_lent_threads, are_as_many_as_were_borrowed_at_once) {
    constexpr int many = 4;
    std::vector<seen> of(many);
    for (int round = 0; round < 2; ++round) {
        lent_threads some;
        for (seen &each : of)
            some.start("lent", look, &each);
        some.join();
        EXPECT_LE(resting_threads(), static_cast<std::size_t>(many));
    }
    EXPECT_GE(resting_threads(), 1u);
}

// Each waits for the other: they are two, whoever has borrowed them.
TEST_F(platform_lent_threads, work_at_the_same_time_for_several_borrowers) {
    std::atomic<int> there{0};
    const auto meet = [](void *argument) {
        auto &count = *static_cast<std::atomic<int> *>(argument);
        ++count;
        while (count != 2)
            sched_yield();
    };
    lent_threads one;
    lent_threads other;
    one.start("one", meet, &there);
    other.start("other", meet, &there);
    one.join();
    other.join();
    EXPECT_EQ(resting_threads(), 2u);
}

TEST_F(platform_lent_threads, have_the_name_that_the_borrower_gives) {
    EXPECT_EQ(borrow_one("one").name, "one");
    EXPECT_EQ(borrow_one("other").name, "other");
    EXPECT_EQ(borrow_one("a-name-of-twenty-one").name, "a-name-of-twent");
}

// Each sleeps where it did the same before, whoever came back last.
TEST_F(platform_lent_threads, come_back_to_the_name_that_they_had) {
    seen before[2];
    for (int round = 0; round < 3; ++round) {
        seen now[2];
        std::atomic<int> there{0};
        struct task {
            seen *out;
            std::atomic<int> *there;
        } tasks[2] = {{&now[0], &there}, {&now[1], &there}};
        const auto both = [](void *argument) {
            const task &t = *static_cast<task *>(argument);
            look(t.out);
            ++*t.there;
            while (*t.there != 2)
                sched_yield();
        };
        lent_threads two;
        two.start("first", both, &tasks[0]);
        two.start("second", both, &tasks[1]);
        two.join();
        for (int i = 0; i < 2; ++i) {
            if (round != 0)
                EXPECT_EQ(now[i].thread, before[i].thread);
            before[i].thread = now[i].thread;
        }
    }
}

TEST_F(platform_lent_threads, have_the_signal_mask_of_the_borrower) {
    sigset_t before;
    sigset_t usr2;
    sigemptyset(&usr2);
    sigaddset(&usr2, SIGUSR2);
    const auto blocks = [](int signal) {
        const seen s = borrow_one();
        return sigismember(&s.signals, signal) == 1;
    };
    EXPECT_FALSE(blocks(SIGUSR2));
    pthread_sigmask(SIG_BLOCK, &usr2, &before);
    EXPECT_TRUE(blocks(SIGUSR2));
    EXPECT_FALSE(blocks(SIGUSR1));
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    EXPECT_FALSE(blocks(SIGUSR2));
}

// One for the process waits until a thread of the program's takes it.
TEST_F(platform_lent_threads, handle_no_signal_at_rest) {
    static std::atomic<pid_t> handled_by{0};
    borrow_one();
    struct sigaction action{};
    struct sigaction former;
    action.sa_handler = [](int) { handled_by = gettid(); };
    sigaction(SIGUSR1, &action, &former);
    {
        const signals_blocked here;
        kill(getpid(), SIGUSR1);
        for (int i = 0; i < 100; ++i)
            sched_yield();
        EXPECT_EQ(handled_by, 0);
    }
    EXPECT_EQ(handled_by, gettid());
    sigaction(SIGUSR1, &former, nullptr);
}

TEST_F(platform_lent_threads, may_run_where_the_borrower_may) {
    const cpu_mask all = cpu_mask::of_thread(0);
    if (all.count() < 2)
        GTEST_SKIP() << "one processor";
    EXPECT_EQ(borrow_one().cpus.count(), all.count());
    ASSERT_TRUE(pin_to_cpu(current_cpu()));
    EXPECT_EQ(borrow_one().cpus.count(), 1);
    sched_setaffinity(0, all.bytes(), all.data());
    EXPECT_EQ(borrow_one().cpus.count(), all.count());
}

template <class T>
void make_variable_of_lent_thread() {
    lent_threads one;
    one.start(
        "lent",
        [](void *) {
            [[maybe_unused]] thread_local const T mine;
            asm volatile("" : : "r"(&mine));
        },
        nullptr);
}

TEST_F(platform_lent_threads, destroy_their_variables_when_they_end) {
    static std::atomic<int> destroyed{0};
    struct counting {
        ~counting() { ++destroyed; }
    };
    destroyed = 0;
    make_variable_of_lent_thread<counting>();
    EXPECT_EQ(destroyed, 0);
    end_resting_threads();
    EXPECT_EQ(destroyed, 1);
    EXPECT_EQ(resting_threads(), 0u);
}

// They may borrow and end others then.
TEST_F(platform_lent_threads, may_borrow_while_they_end) {
    static std::atomic<int> borrowed{0};
    struct borrowing {
        ~borrowing() {
            borrowed += borrow_one().thread != 0 ? 1 : 0;
            end_resting_threads();
        }
    };
    borrowed = 0;
    make_variable_of_lent_thread<borrowing>();
    end_resting_threads();
    EXPECT_EQ(borrowed, 1);
}

std::int32_t idle_now() {
    return static_cast<std::int32_t>(static_cast<std::uint32_t>(idle_word()));
}

TEST_F(platform_lent_threads, are_idle_at_rest) {
    const std::int32_t before = idle_now();
    borrow_one();
    EXPECT_EQ(idle_now(), before + 1);
    lent_threads one;
    std::int32_t at_work = -1;
    one.start("lent", [](void *out) { *static_cast<std::int32_t *>(out) = idle_now(); }, &at_work);
    one.join();
    // The borrower may have begun to wait, or not.
    EXPECT_TRUE(at_work == before || at_work == before + 1) << at_work - before;
    EXPECT_EQ(idle_now(), before + 1);
    end_resting_threads();
    EXPECT_EQ(idle_now(), before);
}

// ThreadSanitizer allows no threads in a child of a process with several, nor does qemu in its user
// mode.
#if !SG_THREAD_SANITIZER && !defined(SG_TEST_EMULATED)
TEST_F(platform_lent_threads, are_others_in_the_child_of_a_fork) {
    borrow_one();
    EXPECT_EQ(end_of_child([] {
                  const bool forgotten = resting_threads() == 0;
                  const bool works = borrow_one().thread != 0 && resting_threads() == 1;
                  end_resting_threads();
                  return forgotten && works && resting_threads() == 0 ? 0 : 1;
              }),
              0);
    EXPECT_EQ(resting_threads(), 1u);
}

// It is the only one there, so the child ends with it.
TEST_F(platform_lent_threads, that_fork_end_in_the_child) {
    int status = -1;
    lent_threads one;
    one.start(
        "lent",
        [](void *out) {
            const pid_t child = fork();
            if (child == 0)
                alarm(30);
            else
                waitpid(child, static_cast<int *>(out), 0);
        },
        &status);
    one.join();
    EXPECT_TRUE(WIFEXITED(status)) << status;
}
#endif

} // namespace

} // namespace saguaro::platform
