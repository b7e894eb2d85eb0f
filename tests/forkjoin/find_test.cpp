// SPDX-License-Identifier: MIT
// Tests that parallel_find finds the serially first match, however it is stolen from.
#include "algorithm_inputs.hpp"

#include "saguaro/parallel_find.hpp"
#include "saguaro/parallel_invoke.hpp"
#include "saguaro/scope.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <deque>
#include <limits>
#include <vector>

namespace {

using namespace saguaro::test;
using saguaro::grain;
using saguaro::parallel_find;
using saguaro::parallel_find_if;

// Longer than the first window, and than the second.
constexpr std::size_t three_windows = 3 * saguaro::detail::first_find_window + 5000;

// --- The serial result ---

TEST(parallel_find, as_the_serial_search_at_all_sizes) {
    std::vector<std::size_t> all = sizes();
    all.push_back(three_windows);
    for (unsigned count = 1; count <= 8; ++count) {
        const free_workers workers(count);
        for (const std::size_t n : all)
            for (const int kinds : {10, 1'000, 10'000'000}) {
                const std::vector<int> list = random_ints(n, kinds, count);
                EXPECT_EQ(parallel_find(list.begin(), list.end(), 7),
                          std::find(list.begin(), list.end(), 7))
                    << n << " elements, " << count << " workers";
            }
    }
}

TEST(parallel_find, the_first_of_several_however_it_is_stolen_from) {
    std::uint64_t steals = 0;
    for (const unsigned period : {1u, 2u, 7u})
        for (int matches = 0; matches < 40; ++matches) {
            std::vector<int> list(60, 0);
            for (const int at : random_ints(static_cast<std::size_t>(matches % 5), 60,
                                            static_cast<unsigned>(matches)))
                list[static_cast<std::size_t>(at)] = 1;
            now_and_then steal(period);
            const scripted_workers workers(3);
            EXPECT_EQ(parallel_find_if(
                          list.begin(), list.end(),
                          [&](int x) {
                              steal();
                              return x == 1;
                          },
                          grain{1}),
                      std::find(list.begin(), list.end(), 1));
            steals += saguaro::stats().steals;
        }
    EXPECT_GT(steals, 10u);
}

TEST(parallel_find, a_match_at_each_end_of_each_window) {
    constexpr std::size_t window = saguaro::detail::first_find_window;
    std::vector<char> list(three_windows + 1, 'a');
    const free_workers workers(3);
    for (const std::size_t at :
         {std::size_t{0}, window - 1, window, 3 * window - 1, 3 * window, three_windows - 1}) {
        list[at] = 'b';
        EXPECT_EQ(parallel_find(list.begin(), list.end(), 'b') - list.begin(),
                  static_cast<std::ptrdiff_t>(at));
        list[at] = 'a';
    }
    EXPECT_EQ(parallel_find(list.begin(), list.end(), 'b'), list.end());
}

TEST(parallel_find, integers_and_iterators) {
    const free_workers workers(2);
    EXPECT_EQ(parallel_find_if(0, 100'000, [](int i) { return i * 3 > 100'000; }), 33'334);
    EXPECT_EQ(parallel_find_if(0, 100, [](int) { return false; }), 100);
    using limits = std::numeric_limits<std::int8_t>;
    const auto is_max = [](std::int8_t i) { return i == limits::max() - 1; };
    EXPECT_EQ(parallel_find_if(limits::min(), limits::max(), is_max), limits::max() - 1);
    EXPECT_EQ(parallel_find_if(std::uint64_t{1}, ~std::uint64_t{0},
                               [](std::uint64_t i) { return i % 99'991 == 0; }),
              99'991u);
    std::deque<int> queue(500, 1);
    queue[321] = 2;
    EXPECT_EQ(parallel_find(queue.begin(), queue.end(), 2) - queue.begin(), 321);
    EXPECT_EQ(parallel_find(queue.rbegin(), queue.rend(), 2) - queue.rbegin(), 178);
}

TEST(parallel_find, nothing_to_search) {
    const auto never = [](int) {
        ADD_FAILURE() << "an empty range was searched";
        return true;
    };
    const free_workers workers(2);
    EXPECT_EQ(parallel_find_if(3, 3, never), 3);
    EXPECT_EQ(parallel_find_if(3, -3, never), -3);
}

// --- Early exit ---

TEST(parallel_find_early, one_worker_looks_at_what_the_serial_search_looks_at) {
    std::vector<int> seen;
    const free_workers workers(1);
    for (const int at : {0, 1, 63, 64, 100, 20'000, 50'000}) {
        seen.clear();
        EXPECT_EQ(parallel_find_if(0, 1'000'000,
                                   [&](int i) {
                                       seen.push_back(i);
                                       return i >= at;
                                   }),
                  at);
        EXPECT_EQ(seen.size(), static_cast<std::size_t>(at) + 1);
        EXPECT_TRUE(std::is_sorted(seen.begin(), seen.end()));
    }
}

// The thief is in its first block when the owner finds something: it ends the block and leaves.
TEST(parallel_find_early, a_thief_ends_its_block_and_leaves) {
    const int n = static_cast<int>(saguaro::detail::first_find_window);
    const auto block =
        static_cast<int>(saguaro::detail::blocks::default_size(static_cast<std::uint64_t>(n)));
    std::atomic<int> owners{0}, thiefs{0};
    std::uint64_t parks = 0;
    const scripted_workers workers(2);
    EXPECT_EQ(parallel_find_if(0, 1'000'000,
                               [&](int i) {
                                   if (i == 0) {
                                       parks = parks_of(me());
                                       EXPECT_TRUE(force_steal());
                                       wait_until([&] { return thiefs != 0; });
                                   }
                                   if (i >= n / 2 && thiefs++ == 0)
                                       wait_for_the_owner_to_park(parks);
                                   if (i < n / 2)
                                       ++owners;
                                   return i == 10;
                               }),
              10);
    EXPECT_EQ(owners, 11);
    EXPECT_EQ(thiefs, block);
}

// The owner is in its second block when a thief finds something behind it: it goes on to the end of
// its own part. Then the thief's match is the answer, and what is behind it was not looked at.
TEST(parallel_find_early, an_owner_goes_on_before_a_match) {
    std::atomic<int> behind{0}, before{0};
    const scripted_workers workers(2);
    EXPECT_EQ(parallel_find_if(
                  0, 1000,
                  [&](int i) {
                      if (i == 0) {
                          EXPECT_TRUE(force_steal());
                          wait_for_the_thief();
                      }
                      ++(i <= 600 ? before : behind);
                      return i >= 600;
                  },
                  grain{1}),
              600);
    EXPECT_EQ(before, 601);
    EXPECT_EQ(behind, 0);
}

TEST(parallel_find_early, no_more_than_twice_the_serial_search_and_a_window) {
    constexpr std::uint64_t window = saguaro::detail::first_find_window;
    for (const std::uint64_t at : {std::uint64_t{0}, window + 1, 2 * window, 3 * window + 1}) {
        std::atomic<std::uint64_t> seen{0};
        now_and_then steal(1000);
        const scripted_workers workers(4);
        EXPECT_EQ(parallel_find_if(std::uint64_t{0}, std::uint64_t{1} << 40,
                                   [&](std::uint64_t i) {
                                       ++seen;
                                       steal();
                                       return i >= at;
                                   }),
                  at);
        EXPECT_LE(seen, 2 * (at + 1) + window);
    }
}

// --- Exceptions ---

TEST(parallel_find_exceptions, what_the_serial_search_meets_first) {
    const nothing_leaks check;
    const int n = 12;
    for (int match = 0; match <= n; ++match)
        for (int thrower = 0; thrower <= n; ++thrower) {
            now_and_then steal(static_cast<unsigned>(1 + (match + thrower) % 3));
            int found = -1;
            const scripted_workers workers(3);
            const int who = who_throws([&] {
                found = parallel_find_if(
                    0, n,
                    [&](int i) {
                        steal();
                        // All that follow throw or match as well.
                        if (thrower <= i && (i - thrower) % 2 == 0)
                            throw thrown(i);
                        return i >= match;
                    },
                    grain{1});
            });
            if (thrower <= match && thrower < n) {
                EXPECT_EQ(who, thrower) << "match " << match;
            } else {
                EXPECT_EQ(who, -1) << "match " << match << ", thrower " << thrower;
                EXPECT_EQ(found, match) << "thrower " << thrower;
            }
        }
}

// --- Where it is called ---

TEST(parallel_find, within_other_constructs) {
    std::vector<int> list(5000, 0);
    list[4321] = 1;
    now_and_then steal(101);
    const auto search = [&] {
        return parallel_find_if(list.begin(), list.end(),
                                [&](int x) {
                                    steal();
                                    return x == 1;
                                }) -
               list.begin();
    };
    std::ptrdiff_t third = 0, fourth = 0;
    const scripted_workers workers(3);
    saguaro::run([&] {
        const auto [first, second] = saguaro::parallel_invoke(search, search);
        EXPECT_EQ(first, 4321);
        EXPECT_EQ(second, 4321);
        saguaro::with_scope([&](saguaro::scope &s) {
            s.spawn([&] { third = search(); });
            s.spawn([&] { fourth = search(); });
        });
    });
    EXPECT_EQ(third, 4321);
    EXPECT_EQ(fourth, 4321);
}

} // namespace
