// SPDX-License-Identifier: MIT
// Tests of pedigrees and of the random numbers made of them: the same on whichever worker.
#include "forkjoin/forcing.hpp"
#include "saguaro/saguaro.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <random>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

namespace {

using saguaro::test::force_steal;
using saguaro::test::scripted_workers;
using path = std::vector<std::uint64_t>;

class pedigrees : public testing::TestWithParam<unsigned> {
protected:
    void SetUp() override { saguaro::start({.workers = GetParam()}); }
    void TearDown() override { saguaro::stop(); }
};

// Every construct, nested; a number at each leaf, in serial order.
void walk(int depth, const saguaro::dotmix &random,
          saguaro::reducer<saguaro::vector_append<std::uint64_t>> &numbers) {
    numbers->push_back(random());
    if (depth == 0)
        return;
    saguaro::scope s;
    for (int i = 0; i < 2; ++i)
        s.spawn([&] { walk(depth - 1, random, numbers); });
    numbers->push_back(random());
    s.sync();
    saguaro::parallel_invoke([&] { walk(depth - 1, random, numbers); },
                             [&] { numbers->push_back(random()); },
                             [&] { walk(depth - 1, random, numbers); });
    saguaro::parallel_for(0, 3, [&](int) { walk(depth - 1, random, numbers); });
    numbers->push_back(random());
}

std::vector<std::uint64_t> numbers_of_a_walk(std::uint64_t seed) {
    saguaro::reducer<saguaro::vector_append<std::uint64_t>> numbers;
    const saguaro::dotmix random(seed);
    saguaro::run([&] { walk(4, random, numbers); });
    return numbers.take();
}

TEST_P(pedigrees, give_the_same_numbers_on_any_number_of_workers) {
    static const std::vector<std::uint64_t> first = numbers_of_a_walk(42);
    for (int round = 0; round < 5; ++round)
        EXPECT_EQ(numbers_of_a_walk(42), first);
    EXPECT_NE(numbers_of_a_walk(43), first);
}

TEST_P(pedigrees, are_all_different) {
    const std::vector<std::uint64_t> numbers = numbers_of_a_walk(1);
    EXPECT_GT(numbers.size(), 4000u);
    EXPECT_EQ(std::set(numbers.begin(), numbers.end()).size(), numbers.size());
}

INSTANTIATE_TEST_SUITE_P(workers, pedigrees, testing::Values(1u, 2u, 3u, 8u));

TEST(pedigree, is_the_path_of_ranks) {
    EXPECT_EQ(saguaro::pedigree(), path());
    const saguaro::pedigree_root root;
    EXPECT_EQ(saguaro::pedigree(), path({0}));
    saguaro::run([] {
        saguaro::scope s;
        s.spawn([] {
            EXPECT_EQ(saguaro::pedigree(), path({0, 0}));
            saguaro::parallel_invoke([] { EXPECT_EQ(saguaro::pedigree(), path({0, 0, 0})); },
                                     [] { EXPECT_EQ(saguaro::pedigree(), path({0, 1, 0})); });
            EXPECT_EQ(saguaro::pedigree(), path({0, 2}));
        });
        EXPECT_EQ(saguaro::pedigree(), path({1}));
        s.spawn([] { EXPECT_EQ(saguaro::pedigree(), path({1, 0})); });
        s.sync();
        saguaro::parallel_for(std::uint64_t{0}, std::uint64_t{4}, [](std::uint64_t i) {
            EXPECT_EQ(saguaro::pedigree(), path({2, i, 0}));
        });
        EXPECT_EQ(saguaro::pedigree(), path({3}));
    });
    EXPECT_EQ(saguaro::pedigree(), path({3}));
    saguaro::stop();
}

// The parent's place among the strands goes with it to the thief, and the child keeps its own.
TEST(pedigree, follows_a_continuation_that_is_taken) {
    const scripted_workers workers(2);
    const saguaro::pedigree_root root;
    saguaro::run([] {
        saguaro::scope s;
        s.spawn([] {
            EXPECT_TRUE(force_steal());
            EXPECT_EQ(saguaro::pedigree(), path({0, 0}));
        });
        EXPECT_EQ(saguaro::pedigree(), path({1}));
        s.sync();
        EXPECT_EQ(saguaro::pedigree(), path({1}));
        const auto [left, right] = saguaro::parallel_invoke(
            [] {
                EXPECT_TRUE(force_steal());
                return saguaro::pedigree();
            },
            [] { return saguaro::pedigree(); });
        EXPECT_EQ(left, path({1, 0}));
        EXPECT_EQ(right, path({2, 0}));
        EXPECT_EQ(saguaro::pedigree(), path({3}));
    });
}

// A scan visits twice what was stolen; what comes after it is not counted otherwise.
TEST(pedigree, does_not_count_the_steals_of_a_scan) {
    const scripted_workers workers(2);
    const saguaro::pedigree_root root;
    saguaro::run([] {
        for (const bool steals : {false, true}) {
            std::vector<int> x(64, 1);
            std::atomic<bool> asked{false};
            saguaro::parallel_scan(
                x.begin(), x.end(), x.begin(),
                [&](int a, int b) {
                    if (steals && !asked.exchange(true))
                        EXPECT_TRUE(force_steal());
                    return a + b;
                },
                saguaro::grain{1});
            EXPECT_EQ(x.back(), 64);
            EXPECT_EQ(saguaro::pedigree(), path({steals ? 2u : 1u}));
        }
    });
}

// A spawn of an outer scope from a step of a loop is a call in a part that was stolen; the child's
// place among the strands is the same.
TEST(pedigree, does_not_tell_a_spawn_from_a_call) {
    const scripted_workers workers(2);
    saguaro::run([] {
        std::vector<path> found[2];
        for (const bool steals : {false, true}) {
            const saguaro::pedigree_root root;
            found[steals].resize(4);
            saguaro::scope s;
            saguaro::parallel_for(0, 4, [&, steals](int i) {
                if (steals && i == 0)
                    EXPECT_TRUE(force_steal());
                s.spawn(
                    [&, i] { found[steals][static_cast<std::size_t>(i)] = saguaro::pedigree(); });
            });
        }
        EXPECT_EQ(found[0], found[1]);
        EXPECT_EQ(found[0][3], path({0, 3, 0, 0}));
    });
}

// A worker that has run a strand with a pedigree runs the next one without: what it steals next.
TEST(pedigree, ends_with_its_run) {
    const scripted_workers workers(2);
    std::atomic<bool> begun{false}, other_has_run{false};
    std::thread waiting([&] {
        saguaro::run([&] {
            begun = true;
            saguaro::test::wait_until([&] { return other_has_run.load(); });
            saguaro::parallel_invoke([] { EXPECT_TRUE(force_steal()); },
                                     [] { EXPECT_EQ(saguaro::pedigree(), path()); });
        });
    });
    saguaro::test::wait_until([&] { return begun.load(); });
    {
        const saguaro::pedigree_root root;
        saguaro::run([] { EXPECT_EQ(saguaro::pedigree(), path({0})); });
    }
    other_has_run = true;
    waiting.join();
}

TEST(pedigree, ends_with_its_root) {
    const scripted_workers workers(1);
    saguaro::run([] {
        {
            const saguaro::pedigree_root root;
            saguaro::scope s;
            s.spawn([] { EXPECT_EQ(saguaro::pedigree().size(), 2u); });
        }
        EXPECT_EQ(saguaro::pedigree(), path());
    });
    saguaro::run([] { EXPECT_EQ(saguaro::pedigree(), path()); });
}

TEST(pedigree, survives_an_exception) {
    const scripted_workers workers(2);
    const saguaro::pedigree_root root;
    saguaro::run([] {
        EXPECT_THROW(saguaro::parallel_invoke([] { throw std::runtime_error("first"); },
                                              [] { force_steal(); }),
                     std::runtime_error);
        EXPECT_EQ(saguaro::pedigree(), path({2}));
        saguaro::scope s;
        s.spawn([] { throw std::runtime_error("child"); });
        EXPECT_THROW(s.sync(), std::runtime_error);
        EXPECT_EQ(saguaro::pedigree(), path({3}));
    });
}

TEST(dotmix, refuses_a_stranger) {
    const saguaro::dotmix random(7);
    EXPECT_NE(random(), random());
    std::thread([&] { EXPECT_THROW(random(), std::logic_error); }).join();
}

TEST(dotmix, is_a_bit_generator_for_the_standard_distributions) {
    static_assert(std::uniform_random_bit_generator<const saguaro::dotmix>);
    const saguaro::dotmix random(7);
    std::uniform_int_distribution<int> dice(1, 6);
    std::array<int, 7> count{};
    for (int i = 0; i < 6000; ++i)
        ++count.at(static_cast<std::size_t>(dice(random)));
    for (std::size_t face = 1; face <= 6; ++face) {
        EXPECT_GT(count.at(face), 850);
        EXPECT_LT(count.at(face), 1150);
    }
}

// Pearson's test on 256 bins of the top and of the bottom bits, for numbers from neighbouring
// strands. With 255 degrees of freedom 340 is exceeded once in 4,000 times; the seeds are fixed.
TEST(dotmix, is_uniform_across_strands) {
    const saguaro::dotmix random(2026);
    std::vector<std::uint64_t> x(1 << 16);
    saguaro::parallel_for(std::size_t{0}, x.size(), [&](std::size_t i) { x[i] = random(); });
    for (const int shift : {0, 28, 56}) {
        std::array<double, 256> bins{};
        for (const std::uint64_t v : x)
            ++bins.at(v >> shift & 255);
        const double expected = static_cast<double>(x.size()) / 256;
        double chi_square = 0;
        for (const double n : bins)
            chi_square += (n - expected) * (n - expected) / expected;
        EXPECT_LT(chi_square, 340) << shift;
        EXPECT_GT(chi_square, 180) << shift;
    }
    double sum = 0;
    for (int i = 0; i < 10000; ++i) {
        const double u = random.uniform();
        ASSERT_GE(u, 0);
        ASSERT_LT(u, 1);
        sum += u;
    }
    EXPECT_NEAR(sum / 10000, 0.5, 0.015);
    saguaro::stop();
}

} // namespace
