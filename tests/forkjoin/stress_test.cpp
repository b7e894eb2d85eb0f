// SPDX-License-Identifier: MIT
// All constructs in one recursion, stolen from by the uniform policy wherever it happens to be, and
// what the statistics say of it.
#include "forcing.hpp"

#include "saguaro/saguaro.hpp"

#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <string>
#include <thread>

namespace {

using namespace saguaro::test;

constexpr int n = is_slow ? 20 : 25;
constexpr int rounds = 3;

long fib_serial(int i) {
    return i < 2 ? i : fib_serial(i - 1) + fib_serial(i - 2);
}

// The calls of fib(i) that spawn, one frame each.
std::uint64_t frames_of(int i) {
    return static_cast<std::uint64_t>(fib_serial(i + 1)) - 1;
}

using recursion = long (*)(int);

template <recursion Again>
long by_invoke(int i) {
    const auto [a, b] =
        saguaro::parallel_invoke([=] { return Again(i - 1); }, [=] { return Again(i - 2); });
    return a + b;
}

template <recursion Again>
long by_scope(int i) {
    long a = 0;
    saguaro::scope s;
    s.spawn([&] { a = Again(i - 1); });
    const long b = Again(i - 2);
    s.sync();
    return a + b;
}

template <recursion Again>
long by_loop(int i) {
    std::array<long, 2> part{};
    saguaro::parallel_for(0u, 2u,
                          [&](unsigned j) { part[j] = Again(i - 1 - static_cast<int>(j)); });
    return part[0] + part[1];
}

long fib_invoke(int i) {
    return i < 2 ? i : by_invoke<fib_invoke>(i);
}
long fib_scope(int i) {
    return i < 2 ? i : by_scope<fib_scope>(i);
}
long fib_loop(int i) {
    return i < 2 ? i : by_loop<fib_loop>(i);
}

// Leaves are appended in the order of the serial program.
saguaro::reducer<saguaro::string_append> leaves;

long fib_mixed(int i) {
    if (i < 2) {
        *leaves += static_cast<char>('0' + i);
        return i;
    }
    switch (i % 3) {
    case 0:
        return by_invoke<fib_mixed>(i);
    case 1:
        return by_scope<fib_mixed>(i);
    default:
        return by_loop<fib_mixed>(i);
    }
}

std::string leaves_of(int i) {
    return i < 2 ? std::string(1, static_cast<char>('0' + i)) : leaves_of(i - 1) + leaves_of(i - 2);
}

class stress : public testing::TestWithParam<unsigned> {
protected:
    stress() {
        saguaro::start(
            {.workers = GetParam(), .stack_bytes = 0, .policy = nullptr, .statistics = 1});
    }
    ~stress() override { saguaro::stop(); }

    // Runs fib(n) some times, and checks what every run must fulfil.
    sg_statistics run(recursion fib) {
        for (int i = 0; i < rounds; ++i)
            EXPECT_EQ(saguaro::run([=] { return fib(n); }), fib_serial(n));
        const sg_statistics s = saguaro::stats();
        const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begin_;
        EXPECT_LE(s.steals, s.tries);
        EXPECT_LE(s.parks, s.steals) << "who parks was stolen from";
        EXPECT_LE(s.reduces, s.views);
        EXPECT_EQ(s.full_frames, 0u) << "there are no C functions here";
        // The last stretch of work is counted when the run has returned already.
        wait_until([] { return saguaro::stats().work_seconds > 0; });
        // No worker has worked for longer than there are workers, whatever the machine did.
        EXPECT_LE(s.work_seconds, passed.count() * GetParam());
        if (GetParam() == 1) {
            EXPECT_EQ(s.tries, 0u);
            EXPECT_EQ(s.parks, 0u);
            EXPECT_EQ(s.merges, 0u);
        }
        return s;
    }

private:
    const std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

TEST_P(stress, invoke) {
    EXPECT_EQ(run(fib_invoke).spawns, rounds * frames_of(n));
}

TEST_P(stress, scope) {
    EXPECT_EQ(run(fib_scope).spawns, rounds * frames_of(n));
}

TEST_P(stress, loop) {
    // What a thief takes of a loop is a loop again.
    const sg_statistics s = run(fib_loop);
    EXPECT_EQ(s.spawns, rounds * frames_of(n) + s.steals);
}

TEST_P(stress, all_together_with_a_reducer) {
    leaves.set("");
    run(fib_mixed);
    std::string serial;
    for (int i = 0; i < rounds; ++i)
        serial += leaves_of(n);
    EXPECT_TRUE(leaves.get() == serial) << "leaves out of order";
}

// With statistics each pop asks the runtime; without, it does so only when a thief is near.
class stress_unwatched : public testing::TestWithParam<unsigned> {
protected:
    stress_unwatched() {
        saguaro::start(
            {.workers = GetParam(), .stack_bytes = 0, .policy = nullptr, .statistics = 0});
    }
    ~stress_unwatched() override { saguaro::stop(); }
};

TEST_P(stress_unwatched, all_together_with_a_reducer) {
    leaves.set("");
    for (int i = 0; i < rounds; ++i)
        EXPECT_EQ(saguaro::run([] { return fib_mixed(n); }), fib_serial(n));
    std::string serial;
    for (int i = 0; i < rounds; ++i)
        serial += leaves_of(n);
    EXPECT_TRUE(leaves.get() == serial) << "leaves out of order";
}

// Stacks and frames come and go as fast as they can: a thief that has found no parent to take must
// not take a frame of a child that has one by now.
TEST_P(stress_unwatched, spawns_and_invokes_in_quick_succession) {
    constexpr int times = is_slow ? 5'000 : 2'000'000;
    long sum = 0;
    saguaro::run([&] {
        for (int i = 0; i < times; ++i) {
            int a = 0, b = 0;
            saguaro::scope s;
            s.spawn([&] { saguaro::parallel_invoke([&] { a = 1; }, [&] { b = 2; }); });
            s.sync();
            sum += a + b;
        }
    });
    EXPECT_EQ(sum, 3L * times);
}

// A thief that comes takes what there is of the loop, which is one iteration or two, while the
// owner is at its end, leaves early, or throws: each is cut in all ways and no iteration runs
// twice.
TEST_P(stress_unwatched, loops_of_few_iterations_in_quick_succession) {
    constexpr int times = is_slow ? 1'000 : 40'000;
    std::array<std::atomic<int>, 4> runs{};
    saguaro::run([&] {
        for (int i = 0; i < times; ++i) {
            const int length = 2 + i % 3;
            const bool throws = i % 7 == 0;
            bool thrown = false;
            try {
                saguaro::parallel_for(0, length, [&](int k) {
                    // Relaxed: the loop's join orders it before the look below.
                    runs[static_cast<std::size_t>(k)].fetch_add(1, std::memory_order_relaxed);
                    volatile int spins = 100 * (i % 5);
                    while (spins > 0)
                        spins = spins - 1;
                    if (throws && k == 0)
                        throw i;
                });
            } catch (int) {
                thrown = true;
            }
            ASSERT_EQ(thrown, throws);
            for (int k = 0; k < 4; ++k) {
                const int count = runs[static_cast<std::size_t>(k)].exchange(0);
                if (throws && k > 0 && k < length)
                    ASSERT_LE(count, 1) << "iteration " << k << " of " << length;
                else
                    ASSERT_EQ(count, k < length ? 1 : 0) << "iteration " << k << " of " << length;
            }
        }
    });
}

// Many short runs of several threads: workers fall asleep and wake up all the time.
TEST_P(stress_unwatched, short_runs_of_several_threads) {
    std::array<std::thread, 3> threads;
    for (std::thread &t : threads)
        t = std::thread([] {
            for (int i = 0; i < 100; ++i) {
                EXPECT_EQ(fib_invoke(8), 21);
                EXPECT_EQ(saguaro::run([] { return fib_scope(8); }), 21);
                EXPECT_EQ(saguaro::run([] { return fib_loop(8); }), 21);
            }
        });
    for (std::thread &t : threads)
        t.join();
}

INSTANTIATE_TEST_SUITE_P(workers, stress, testing::Range(1u, 9u),
                         testing::PrintToStringParamName());
INSTANTIATE_TEST_SUITE_P(workers, stress_unwatched, testing::Range(1u, 9u),
                         testing::PrintToStringParamName());

} // namespace
