// SPDX-License-Identifier: MIT
// Tests that the serially first of several exceptions is thrown.
#include "saguaro/detail/first_error.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <limits>
#include <string>
#include <thread>
#include <vector>

namespace saguaro::detail {
namespace {

// An exception that knows how many of its kind there are.
struct counted {
    explicit counted(std::uint64_t k) : key(k) { ++alive; }
    counted(const counted &other) : key(other.key) { ++alive; }
    ~counted() { --alive; }

    std::uint64_t key;
    static std::atomic<int> alive;
};
std::atomic<int> counted::alive{0};

// The key of what is rethrown, or -1.
long long rethrown(first_error &error) {
    try {
        error.rethrow();
    } catch (const counted &caught) {
        return static_cast<long long>(caught.key);
    }
    return -1;
}

void offer(first_error &error, std::uint64_t key) {
    error.offer(key, std::make_exception_ptr(counted(key)));
}

TEST(first_error, nothing_offered_is_nothing_thrown) {
    first_error error;
    EXPECT_FALSE(error.any());
    EXPECT_EQ(rethrown(error), -1);
}

TEST(first_error, the_smallest_key_wins_whatever_the_order) {
    std::vector<std::uint64_t> keys{0, 1, 5, 1000, std::numeric_limits<std::uint64_t>::max()};
    do {
        first_error error;
        for (const std::uint64_t key : keys)
            offer(error, key);
        EXPECT_TRUE(error.any());
        EXPECT_EQ(counted::alive, 1) << "what was dropped is destroyed at once";
        EXPECT_EQ(rethrown(error), 0);
    } while (std::next_permutation(keys.begin(), keys.end()));
    EXPECT_EQ(counted::alive, 0);
}

TEST(first_error, the_largest_key_is_one_like_others) {
    first_error error;
    const std::uint64_t largest = std::numeric_limits<std::uint64_t>::max();
    offer(error, largest);
    EXPECT_EQ(rethrown(error), static_cast<long long>(largest));
}

TEST(first_error, what_was_thrown_is_forgotten) {
    first_error error;
    offer(error, 3);
    EXPECT_EQ(rethrown(error), 3);
    EXPECT_FALSE(error.any());
    EXPECT_EQ(rethrown(error), -1);
    // Larger than the one before: it counts from now on.
    offer(error, 7);
    EXPECT_EQ(rethrown(error), 7);
    EXPECT_EQ(counted::alive, 0);
}

TEST(first_error, what_was_never_thrown_is_destroyed) {
    {
        first_error error;
        offer(error, 1);
        EXPECT_EQ(counted::alive, 1);
    }
    EXPECT_EQ(counted::alive, 0);
}

TEST(first_error, offers_at_once_keep_the_smallest) {
    constexpr std::uint64_t threads = 4;
    constexpr std::uint64_t each = 300;
    for (int round = 0; round < 5; ++round) {
        first_error error;
        std::vector<std::thread> offering;
        for (std::uint64_t t = 0; t < threads; ++t)
            offering.emplace_back([&error, t] {
                // Downwards, so that almost every offer replaces something.
                for (std::uint64_t i = each; i-- != 0;)
                    offer(error, 10 + i * threads + t);
            });
        for (std::thread &t : offering)
            t.join();
        EXPECT_EQ(counted::alive, 1);
        EXPECT_EQ(rethrown(error), 10);
        EXPECT_EQ(counted::alive, 0);
    }
}

// Whoever comes first makes room for the error; those who come at the same time must agree.
TEST(first_error, the_very_first_offers_at_once) {
    constexpr int threads = 3;
    constexpr std::size_t rounds = 1000;
    std::vector<first_error> errors(rounds);
    std::atomic<std::size_t> here{0};
    std::vector<std::thread> offering;
    for (std::uint64_t key = 0; key < threads; ++key)
        offering.emplace_back([&, key] {
            for (std::size_t round = 0; round < rounds; ++round) {
                // All begin the round together.
                ++here;
                while (here < (round + 1) * threads)
                    std::this_thread::yield();
                offer(errors[round], key);
            }
        });
    for (std::thread &t : offering)
        t.join();
    EXPECT_EQ(counted::alive, static_cast<int>(rounds));
    for (first_error &error : errors)
        ASSERT_EQ(rethrown(error), 0);
    EXPECT_EQ(counted::alive, 0);
}

} // namespace
} // namespace saguaro::detail
