// SPDX-License-Identifier: MIT
// Tests of waits on a word: values, time limits, signals and wake-ups.
#include "platform/futex.hpp"

#include "platform/clock.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

using namespace saguaro::platform;
using namespace std::chrono_literals;

TEST(futex_wait, returns_at_once_when_the_value_differs) {
    std::atomic<std::uint32_t> word{1};
    EXPECT_TRUE(futex_wait(word, 0));
}

TEST(futex_wait, says_when_time_is_up) {
    std::atomic<std::uint32_t> word{0};
    const std::int64_t begin = now_ns();
    // A signal may end it early: then it says "look again", and the test does.
    while (futex_wait(word, 0, begin + 20'000'000)) {
    }
    EXPECT_GE(now_ns() - begin, 20'000'000);
    EXPECT_FALSE(futex_wait(word, 0, 0)) << "a time that has been";
}

// A wait that began anew after each signal would go on as long as they come.
TEST(futex_wait, comes_to_its_end_under_a_storm_of_signals) {
    struct sigaction ignoring{};
    ignoring.sa_handler = [](int) {};
    struct sigaction former{};
    ASSERT_EQ(sigaction(SIGUSR1, &ignoring, &former), 0);
    std::atomic<bool> ended{false};
    int interruptions = 0;
    std::thread sleeper([&] {
        std::atomic<std::uint32_t> word{0};
        // On a busy machine no signal may come in this time.
        while (interruptions == 0) {
            const std::int64_t end = now_ns() + 100'000'000;
            while (futex_wait(word, 0, end))
                ++interruptions;
            EXPECT_GE(now_ns(), end);
        }
        ended = true;
    });
    constexpr std::int64_t patience = 60'000'000'000;
    for (const std::int64_t begin = now_ns(); !ended && now_ns() - begin < patience;) {
        pthread_kill(sleeper.native_handle(), SIGUSR1);
        std::this_thread::sleep_for(5ms);
    }
    EXPECT_TRUE(ended) << "while signals come";
    sleeper.join();
    sigaction(SIGUSR1, &former, nullptr);
}

TEST(futex_wake, wakes_as_many_as_told) {
    constexpr int threads = 4;
    std::atomic<std::uint32_t> word{0};
    std::atomic<int> awake{0};
    std::vector<std::thread> sleepers;
    for (int i = 0; i < threads; ++i)
        sleepers.emplace_back([&] {
            while (word.load() == 0)
                futex_wait(word, 0);
            ++awake;
        });
    word.store(1);
    futex_wake(word, everybody);
    for (std::thread &each : sleepers)
        each.join();
    EXPECT_EQ(awake.load(), threads);
    EXPECT_EQ(futex_wake(word, everybody), 0);
}

TEST(futex_wake, of_one_leaves_the_other_asleep) {
    std::atomic<std::uint32_t> word{0};
    std::atomic<int> woken{0};
    const auto sleep = [&] {
        futex_wait(word, 0);
        ++woken;
    };
    std::thread first(sleep);
    std::thread second(sleep);
    int count = 0;
    while (count == 0)
        count = futex_wake(word, 1);
    EXPECT_EQ(count, 1);
    while (futex_wake(word, 1) == 0) {
    }
    first.join();
    second.join();
    EXPECT_EQ(woken.load(), 2);
}

// The two map the word at different addresses.
TEST(futex_scopes, of_all_processes_reaches_a_child) {
    using word_type = std::atomic<std::uint32_t>;
    const int file = memfd_create("word", 0);
    ASSERT_GE(file, 0);
    ASSERT_EQ(ftruncate(file, sizeof(word_type)), 0);
    const auto map = [=] {
        void *const at =
            mmap(nullptr, sizeof(word_type), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        return at == MAP_FAILED ? nullptr : static_cast<word_type *>(at);
    };
    word_type *const word = map();
    ASSERT_NE(word, nullptr);
    constexpr std::int64_t patience = 60'000'000'000;
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
        word_type *const same = map();
        _exit(same != nullptr && same != word &&
                      futex_wait(*same, 0, now_ns() + patience, futex_scope::all_processes)
                  ? 0
                  : 1);
    }
    int woken = 0;
    for (const std::int64_t begin = now_ns(); woken == 0 && now_ns() - begin < patience;) {
        EXPECT_EQ(futex_wake(*word, everybody), 0) << "woken as a thread of this process";
        woken = futex_wake(*word, everybody, futex_scope::all_processes);
    }
    EXPECT_EQ(woken, 1);
    int status = -1;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
    munmap(word, sizeof(word_type));
    close(file);
}
