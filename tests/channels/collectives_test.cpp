// SPDX-License-Identifier: MIT
// Each algorithm of each collective, with each number of members and sizes around what a cell, a
// page and a piece of a message hold; and sequences of them.
#include "collectives.hpp"

#include "saguaro/collective.hpp"
#include "saguaro/space.hpp"
#include "support/job.hpp"

#include <array>
#include <atomic>
#include <functional>
#include <gtest/gtest.h>
#include <ostream>
#include <random>
#include <sys/mman.h>
#include <thread>
#include <unistd.h>

namespace saguaro {

namespace test_support {

// For the names of tests.
inline void PrintTo(const algorithm_name &name, std::ostream *out) {
    *out << name.setting();
}

} // namespace test_support

namespace {

using namespace test_support;

using members_do = std::function<void(sg_team team, unsigned member)>;

// Begins a space for each member but 0, which is the caller.
void as_spaces(unsigned members, const members_do &act) {
    const team all(members);
    std::vector<space> others;
    for (unsigned m = 1; m < members; ++m)
        others.emplace_back([&, m] { act(all.name(), m); });
    act(all.name(), 0);
    for (const space &other : others)
        other.wait();
}

void as_threads(unsigned members, const members_do &act) {
    const team all(members);
    std::vector<std::thread> others;
    for (unsigned m = 1; m < members; ++m)
        others.emplace_back([&, m] { act(all.name(), m); });
    act(all.name(), 0);
    for (std::thread &other : others)
        other.join();
}

// Sizes, and the bytes of an element. The large ones are more than a piece of a message. A pair of
// members, and the messages that all read, have room for less than the largest.
std::vector<collective_call> calls_of(const std::string &operation, unsigned members) {
    std::vector<std::pair<std::size_t, std::size_t>> sizes = {
        {0, 1}, {1, 1}, {8, 8}, {56, 8}, {57, 1}, {57, 57}, {4096, 8}, {70'001, 1}};
    if (members <= 4)
        sizes.insert(sizes.end(), {{65'536, 4096}, {100'008, 24}, {80'000, 80'000}});
    if (members <= 3)
        sizes.insert(sizes.end(), {{1'000'001, 1}, {48, 16}});
    std::vector<collective_call> calls;
    for (const auto &[size, element] : sizes) {
        const auto number = static_cast<unsigned>(calls.size());
        calls.push_back({operation, members, (number * 7 + 3) % members, size, element, number,
                         number % 2 == 1});
    }
    return calls;
}

class channels_collectives : public testing::TestWithParam<algorithm_name> {};

TEST_P(channels_collectives, give_what_the_serial_program_gives) {
    setenv("SAGUARO_COLLECTIVE", GetParam().setting().c_str(), 1);
    const test_support::outcome seen = run_job([] {
        for (const unsigned members : {1U, 2U, 3U, 4U, 5U, 6U, 7U, 8U, 9U, 16U})
            as_spaces(members, [=](sg_team team, unsigned m) {
                for (const collective_call &c : calls_of(GetParam().operation, members))
                    check_call(c, team, m);
            });
        return 0;
    });
    unsetenv("SAGUARO_COLLECTIVE");
    EXPECT_TRUE(seen.exited_with(0)) << GetParam().setting() << "\n" << seen.err;
}

INSTANTIATE_TEST_SUITE_P(all, channels_collectives, testing::ValuesIn(all_algorithms),
                         [](const testing::TestParamInfo<algorithm_name> &each) {
                             return std::string(each.param.operation) + "_" + each.param.algorithm;
                         });

// Members come to each collective at different times, and none waits for another's result by
// chance.
void random_sequence(sg_team team, unsigned m, unsigned members, unsigned seed, bool sleeps) {
    std::minstd_rand same(seed);         // the program, of which each member runs the same
    std::minstd_rand own(seed * 31 + m); // what the system does
    const char *const operations[] = {"barrier", "broadcast", "reduce",  "allreduce",
                                      "scan",    "gather",    "scatter", "alltoall"};
    const std::size_t sizes[] = {0, 8, 16, 56, 64, 4096, 20'000, 100'000};
    for (unsigned i = 0; i < 60; ++i) {
        collective_call c = {operations[same() % 8], members, 0, sizes[same() % 8], 8, i};
        c.root = static_cast<unsigned>(same() % members);
        c.in_place = same() % 2 == 0;
        check_call(c, team, m);
        if (sleeps && own() % 16 == 0)
            usleep(static_cast<useconds_t>(own() % 500));
    }
}

// One algorithm for each collective.
std::string random_choice(unsigned seed) {
    std::minstd_rand draw(seed);
    std::string made;
    for (const algorithm_name &each : all_algorithms)
        if (draw() % 2 == 0)
            made += (made.empty() ? "" : ",") + each.setting(); // the last one of each counts
    return made.empty() ? "auto" : made;
}

TEST(channels_collective_sequences, of_random_algorithms) {
    for (unsigned seed = 1; seed <= 12; ++seed) {
        const std::string choice = seed % 4 == 0 ? "auto" : random_choice(seed);
        setenv("SAGUARO_COLLECTIVE", choice.c_str(), 1);
        const test_support::outcome seen = run_job([=] {
            const unsigned members = 2 + seed % 6;
            as_spaces(members, [=](sg_team team, unsigned m) {
                random_sequence(team, m, members, seed, true);
            });
            return 0;
        });
        unsetenv("SAGUARO_COLLECTIVE");
        EXPECT_TRUE(seen.exited_with(0)) << choice << "\n" << seen.err;
    }
}

TEST(channels_collective_sequences, of_threads) {
    for (unsigned seed = 1; seed <= 4; ++seed) {
        setenv("SAGUARO_COLLECTIVE", random_choice(seed).c_str(), 1);
        const test_support::outcome seen = run_job([=] {
            as_threads(3,
                       [=](sg_team team, unsigned m) { random_sequence(team, m, 3, seed, false); });
            return 0;
        });
        unsetenv("SAGUARO_COLLECTIVE");
        EXPECT_TRUE(seen.exited_with(0)) << seen.err;
    }
}

// A barrier is one: nobody leaves before all have come.
class channels_barrier : public testing::TestWithParam<const char *> {};

TEST_P(channels_barrier, waits_for_all) {
    setenv("SAGUARO_COLLECTIVE", (std::string("barrier:") + GetParam()).c_str(), 1);
    const test_support::outcome seen = run_job([] {
        // Memory that all have, behind the library's back: who has come so far.
        void *const shared =
            mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        auto &come = *static_cast<std::atomic<unsigned> *>(shared);
        constexpr unsigned members = 5;
        as_spaces(members, [&](sg_team team, unsigned m) {
            for (unsigned late = 0; late < members; ++late) {
                if (m == late)
                    usleep(3000);
                come.fetch_add(1);
                sg_barrier(team, m);
                if (come.load() < (late + 1) * members)
                    std::_Exit(1);
            }
        });
        return 0;
    });
    unsetenv("SAGUARO_COLLECTIVE");
    EXPECT_TRUE(seen.exited_with(0)) << seen.err;
}

INSTANTIATE_TEST_SUITE_P(all, channels_barrier,
                         testing::Values("flat", "binomial", "dissemination"));

// The sum of floating point numbers has the bits of the documented order, from each algorithm.
TEST(channels_collective_sums, have_the_same_bits) {
    for (const char *const algorithm : {"flat", "binomial", "doubling", "ring", "multicast"}) {
        setenv("SAGUARO_COLLECTIVE", (std::string("allreduce:") + algorithm).c_str(), 1);
        const test_support::outcome seen = run_job([] {
            const team six(6);
            const auto sum = [=](unsigned m) { return six.allreduce(m, 1.0 / (m + 3)); };
            std::vector<space> others;
            for (unsigned m = 1; m < 6; ++m)
                others.emplace_back([=] { sum(m); });
            const auto v = [](int m) { return 1.0 / (m + 3); };
            return sum(0) == ((v(0) + v(1)) + (v(2) + v(3))) + (v(4) + v(5)) ? 0 : 1;
        });
        unsetenv("SAGUARO_COLLECTIVE");
        EXPECT_TRUE(seen.exited_with(0)) << algorithm << seen.err;
    }
}

// The typed calls, each once.
int typed_calls(const team &all, unsigned m) {
    const unsigned n = all.members();
    int number = m == 1 ? 42 : 0;
    all.broadcast(m, 1, number);
    std::vector<int> numbers(3, m == 2 ? 7 : 0);
    all.broadcast(m, 2, numbers);
    const auto most =
        all.reduce(m, 0, m * 10, [](unsigned a, unsigned b) { return a < b ? b : a; });
    std::array<long, 2> pair = {1, m};
    all.reduce(m, 1, pair, pair);
    const std::vector<double> halves(4, 0.5);
    std::vector<double> sums(4);
    all.allreduce(m, halves, sums);
    const unsigned before = all.scan(m, m);
    std::vector<unsigned> counts(2);
    all.scan(m, std::vector<unsigned>{1, 2}, counts);
    const std::vector<unsigned> names = all.gather(m, 2, m);
    const std::vector<int> twice = all.gather(m, 0, std::vector<int>(2, number));
    const std::vector<int> parts = m == 1 ? std::vector<int>{3, 4, 5} : std::vector<int>();
    const int own = all.scatter(m, 1, parts);
    std::array<int, 1> own_part{};
    all.scatter(m, 1, parts, own_part);
    const std::vector<unsigned> from_all = all.alltoall(m, std::vector<unsigned>(n, m));
    const bool is_right =
        number == 42 && numbers == std::vector<int>(3, 7) && most.has_value() == (m == 0) &&
        most.value_or(20) == 20 && (m != 1 || pair == std::array<long, 2>{3, 3}) &&
        sums == std::vector<double>(4, 1.5) && before == m * (m + 1) / 2 &&
        counts == std::vector<unsigned>{m + 1, 2 * m + 2} &&
        names == (m == 2 ? std::vector<unsigned>{0, 1, 2} : std::vector<unsigned>()) &&
        twice == std::vector<int>(m == 0 ? 6 : 0, 42) && own == static_cast<int>(m) + 3 &&
        own_part[0] == own && from_all == std::vector<unsigned>{0, 1, 2};
    return is_right ? 0 : 1;
}

TEST(channels_team, has_typed_calls) {
    const test_support::outcome seen = run_job([] {
        const team three(3);
        const space first([=] { return typed_calls(three, 1); });
        const space second([=] { return typed_calls(three, 2); });
        const int own = typed_calls(three, 0);
        first.wait();
        second.wait();
        return own;
    });
    EXPECT_TRUE(seen.exited_with(0)) << seen.err;
}

TEST(channels_team, refuses_arrays_that_do_not_fit) {
    const test_support::outcome seen = run_job([] {
        const team one(1);
        std::vector<int> two(2);
        try {
            one.allreduce(0, std::vector<int>(3), two);
        } catch (const std::length_error &) {
            return 5;
        }
        return 0;
    });
    EXPECT_TRUE(seen.exited_with(5)) << seen.err;
}

// An element of 64 bytes that must be aligned so.
struct alignas(64) line {
    std::array<long, 8> values;
};

TEST(channels_team, keeps_the_alignment_of_elements) {
    const test_support::outcome seen = run_job([] {
        const team two(2);
        const auto act = [=](unsigned m) {
            const auto add = [](const line &a, const line &b) {
                if (reinterpret_cast<std::uintptr_t>(&a) % 64 != 0 ||
                    reinterpret_cast<std::uintptr_t>(&b) % 64 != 0)
                    std::_Exit(3);
                return line{{a.values[0] + b.values[0]}};
            };
            return two.allreduce(m, line{{static_cast<long>(m) + 1}}, add).values[0] == 3 ? 0 : 1;
        };
        const space other([=] { return act(1); });
        const int own = act(0);
        other.wait();
        return own;
    });
    EXPECT_TRUE(seen.exited_with(0)) << seen.err;
}

// An operation on 16 bytes that must be aligned so: a small message lies at 8 bytes in its cell.
TEST(channels_team, keeps_the_alignment_of_small_elements) {
    const test_support::outcome seen = run_job([] {
        const team two(2);
        const auto act = [=](unsigned m) {
            const auto add = [](const long double &a, const long double &b) {
                if (reinterpret_cast<std::uintptr_t>(&a) % alignof(long double) != 0 ||
                    reinterpret_cast<std::uintptr_t>(&b) % alignof(long double) != 0)
                    std::_Exit(3);
                return a + b;
            };
            return two.allreduce(m, 1.0L, add) == 2.0L ? 0 : 1;
        };
        const space other([=] { return act(1); });
        const int own = act(0);
        other.wait();
        return own;
    });
    EXPECT_TRUE(seen.exited_with(0)) << seen.err;
}

} // namespace

} // namespace saguaro
