// SPDX-License-Identifier: MIT
// Tests that the light and the heavy side of the fence see each other's stores.
#include "platform/fence.hpp"

#include "support/forbidden_call.hpp"

#include <gtest/gtest.h>

#include <linux/membarrier.h>
#include <sched.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace saguaro::platform;

namespace {

// Waits until the other side has got as far as `round`.
void wait_for(const std::atomic<int> &counter, int round) {
    for (int spins = 0; counter.load(std::memory_order_acquire) < round; ++spins)
        if (spins > 1000)
            sched_yield();
}

// Rounds of "store mine, fence, load yours" by two threads. Returns in how many neither saw the
// other's store, which a pair of working fences makes impossible.
template <typename light, typename heavy>
int rounds_missed(int rounds, light owner_fence, heavy thief_fence) {
    std::atomic<int> owner_word{0};
    std::atomic<int> thief_word{0};
    std::atomic<int> owner_round{0};
    std::atomic<int> thief_round{0};
    // What the thief read in the last round; its release of thief_round publishes it.
    int thief_saw = 0;
    std::thread thief([&] {
        for (int round = 1; round <= rounds; ++round) {
            wait_for(owner_round, round);
            thief_word.store(round, std::memory_order_relaxed);
            thief_fence();
            thief_saw = owner_word.load(std::memory_order_relaxed);
            thief_round.store(round, std::memory_order_release);
        }
    });
    int missed = 0;
    for (int round = 1; round <= rounds; ++round) {
        owner_round.store(round, std::memory_order_release);
        // Not all rounds alike: the two sides should meet in some.
        for (int delay = round % 64; delay > 0; --delay)
            std::atomic_signal_fence(std::memory_order_seq_cst);
        owner_word.store(round, std::memory_order_relaxed);
        owner_fence();
        const int owner_saw = thief_word.load(std::memory_order_relaxed);
        wait_for(thief_round, round);
        if (owner_saw < round && thief_saw < round)
            ++missed;
    }
    thief.join();
    return missed;
}

constexpr int rounds = 5'000;

} // namespace

TEST(fence, asymmetric_pair_lets_one_side_see_the_other) {
    if (!fence_init(true))
        GTEST_SKIP() << "no membarrier here";
    EXPECT_TRUE(fence_is_asymmetric());
    EXPECT_EQ(rounds_missed(rounds, light_fence, heavy_fence), 0);
}

TEST(fence, without_membarrier_both_sides_are_real) {
    EXPECT_FALSE(fence_init(false));
    EXPECT_FALSE(fence_is_asymmetric());
    EXPECT_EQ(rounds_missed(rounds, real_fence, heavy_fence), 0);
}

TEST(fence, registration_survives_fork) {
    if (!fence_init(true))
        GTEST_SKIP() << "no membarrier here";
    const pid_t child = fork();
    if (child == 0)
        _exit(syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0) == 0 ? 0 : 1);
    int status = -1;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status));
    EXPECT_EQ(WEXITSTATUS(status), 0);
}

// A fence that only one side makes would order nothing.
TEST(fence_death, a_fence_that_is_refused_later_ends_the_program) {
    if (!fence_init(true) || !saguaro::test_support::can_forbid_calls())
        GTEST_SKIP() << "no membarrier here, or no filters of system calls";
    EXPECT_DEATH(
        {
            saguaro::test_support::forbid_call(SYS_membarrier);
            heavy_fence();
        },
        "the kernel refuses a membarrier that it had granted \\(Operation not permitted\\)");
}
