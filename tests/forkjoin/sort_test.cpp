// SPDX-License-Identifier: MIT
// Tests of parallel_sort: order, stability, exceptions and steals.
#include "algorithm_inputs.hpp"

#include "saguaro/parallel_sort.hpp"
#include "saguaro/scope.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

namespace {

using namespace saguaro::test;
using saguaro::parallel_sort;

// Equal keys are told apart by where they were.
struct item {
    int key;
    int place;
    bool operator==(const item &) const = default;
};

const auto by_key = [](const item &a, const item &b) { return a.key < b.key; };

std::vector<item> items(const std::vector<int> &keys) {
    std::vector<item> list;
    for (const int key : keys)
        list.push_back({key, static_cast<int>(list.size())});
    return list;
}

std::vector<item> sorted(std::vector<item> list) {
    std::stable_sort(list.begin(), list.end(), by_key);
    return list;
}

// Whether `list` has each place from 0 on exactly once.
bool nothing_is_missing(const std::vector<item> &list) {
    std::vector<int> places(list.size()), all(list.size());
    std::transform(list.begin(), list.end(), places.begin(), [](const item &i) { return i.place; });
    std::sort(places.begin(), places.end());
    std::iota(all.begin(), all.end(), 0);
    return places == all;
}

// --- The serial result ---

TEST(parallel_sort, is_stable_at_all_sizes) {
    for (const int keys : {1, 3, 1'000'000})
        for (const std::size_t n : sizes()) {
            std::vector<item> list = items(random_ints(n, keys, 1));
            const std::vector<item> expected = sorted(list);
            const free_workers workers(2);
            parallel_sort(list.begin(), list.end(), by_key);
            EXPECT_EQ(list, expected) << n << " elements, " << keys << " keys";
        }
}

TEST(parallel_sort, one_to_eight_workers) {
    for (unsigned count = 1; count <= 8; ++count) {
        std::vector<item> list = items(random_ints(big, 5000, count));
        const std::vector<item> expected = sorted(list);
        const free_workers workers(count);
        parallel_sort(list.begin(), list.end(), by_key);
        EXPECT_EQ(list, expected) << count << " workers";
    }
}

TEST(parallel_sort, however_it_is_stolen_from) {
    std::vector<item> list = items(random_ints(big, 1000, 7));
    const std::vector<item> expected = sorted(list);
    now_and_then steal(2003);
    const scripted_workers workers(4);
    parallel_sort(list.begin(), list.end(), [&](const item &a, const item &b) {
        steal();
        return by_key(a, b);
    });
    EXPECT_EQ(list, expected);
    EXPECT_GT(saguaro::stats().steals, 0u);
}

TEST(parallel_sort, inputs_with_a_pattern) {
    const int n = 50'000;
    std::vector<int> up(n), down, pipe, saw;
    std::iota(up.begin(), up.end(), 0);
    down.assign(up.rbegin(), up.rend());
    for (const int i : up) {
        pipe.push_back(std::min(i, n - i));
        saw.push_back(i % 100);
    }
    const free_workers workers(3);
    for (const std::vector<int> &keys : {up, down, pipe, saw}) {
        std::vector<item> list = items(keys);
        parallel_sort(list.begin(), list.end(), by_key);
        EXPECT_EQ(list, sorted(items(keys)));
    }
}

// Merges cut themselves down to single elements, where one row of two is often all above the other,
// or empty.
TEST(parallel_sort, merges_of_all_sizes_are_cut) {
    const free_workers workers(2);
    for (const int n : {50, 1000, 4000}) {
        std::vector<int> down(static_cast<std::size_t>(n));
        std::iota(down.rbegin(), down.rend(), 0);
        for (const std::vector<int> &keys : {down, random_ints(down.size(), n / 4, 3)}) {
            std::vector<item> list = items(keys);
            parallel_sort(list, by_key, saguaro::grain{1});
            EXPECT_EQ(list, sorted(items(keys))) << n;
        }
    }
}

// Eight times as many are merged without a cut: more than can be counted.
TEST(parallel_sort, nothing_is_cut_by_a_grain_of_any_size) {
    const free_workers workers(1);
    for (const int exponent : {20, 60, 61, 63}) {
        std::vector<item> list = items(random_ints(1000, 300, 4));
        const std::vector<item> expected = sorted(list);
        parallel_sort(list, by_key, saguaro::grain{std::uint64_t{1} << exponent});
        EXPECT_EQ(list, expected) << exponent;
    }
}

TEST(parallel_sort, a_merge_is_stolen_from) {
    // Even numbers, then odd ones: only the last merge compares the one with the other.
    const int n = 40'000;
    std::vector<int> list;
    for (int i = 0; i < n; ++i)
        list.push_back(i < n / 2 ? 2 * i : 2 * (i - n / 2) + 1);
    std::atomic<bool> stolen{false};
    const scripted_workers workers(2);
    parallel_sort(list, [&](int a, int b) {
        if (a % 2 != b % 2 && !stolen && force_steal())
            stolen = true;
        return a < b;
    });
    EXPECT_TRUE(std::is_sorted(list.begin(), list.end()));
    EXPECT_TRUE(stolen);
}

// --- Ranges and elements ---

TEST(parallel_sort, iterators_and_ranges) {
    const std::vector<int> unsorted = random_ints(3000, 500, 3);
    std::vector<int> ascending = unsorted;
    std::sort(ascending.begin(), ascending.end());
    const std::vector<int> descending(ascending.rbegin(), ascending.rend());
    const free_workers workers(2);

    std::deque<int> queue(unsorted.begin(), unsorted.end());
    parallel_sort(queue.begin(), queue.end());
    EXPECT_TRUE(std::equal(queue.begin(), queue.end(), ascending.begin(), ascending.end()));
    std::vector<int> list = unsorted;
    parallel_sort(list.data(), list.data() + list.size(), std::greater<>());
    EXPECT_EQ(list, descending);
    parallel_sort(list.rbegin(), list.rend(), std::greater<>());
    EXPECT_EQ(list, ascending);
    list = unsorted;
    parallel_sort(list);
    EXPECT_EQ(list, ascending);
    parallel_sort(list, std::greater<>());
    EXPECT_EQ(list, descending);
}

TEST(parallel_sort, nothing_outside_the_range_is_touched) {
    std::vector<int> list = random_ints(5000, 100, 4);
    std::vector<int> expected = list;
    std::stable_sort(expected.begin() + 100, expected.end() - 100);
    const free_workers workers(2);
    parallel_sort(list.begin() + 100, list.end() - 100);
    EXPECT_EQ(list, expected);
}

TEST(parallel_sort, elements_that_only_move) {
    const nothing_leaks check;
    std::vector<std::unique_ptr<counted>> list;
    for (const int key : random_ints(20'000, 1'000'000, 5))
        list.push_back(std::make_unique<counted>(key));
    now_and_then steal(5000);
    const scripted_workers workers(3);
    const auto less = [&](const auto &a, const auto &b) {
        steal();
        return a->value < b->value;
    };
    parallel_sort(list.begin(), list.end(), less);
    EXPECT_TRUE(std::none_of(list.begin(), list.end(), [](const auto &p) { return !p; }));
    EXPECT_TRUE(std::is_sorted(list.begin(), list.end(),
                               [](const auto &a, const auto &b) { return a->value < b->value; }));
}

TEST(parallel_sort, the_scratch_memory_is_given_back) {
    const nothing_leaks check;
    std::vector<counted> list;
    for (const int key : random_ints(5000, 100, 6))
        list.emplace_back(key);
    const int alive = counted::alive();
    const free_workers workers(2);
    parallel_sort(list, [](const counted &a, const counted &b) { return a.value < b.value; });
    EXPECT_EQ(counted::alive(), alive);
    EXPECT_EQ(who_throws([&] {
                  parallel_sort(list,
                                [](const counted &, const counted &) -> bool { throw thrown(1); });
              }),
              1);
    EXPECT_EQ(counted::alive(), alive);
}

// --- Comparisons ---

TEST(parallel_sort, the_number_of_comparisons) {
    std::vector<int> list = random_ints(big, 1'000'000'000, 8);
    std::uint64_t calls = 0;
    const auto less = [&](int a, int b) {
        ++calls;
        return a < b;
    };
    const free_workers workers(1);
    const auto n = static_cast<double>(big);
    parallel_sort(list, less);
    EXPECT_LT(static_cast<double>(calls), 1.3 * n * std::log2(n));
    calls = 0;
    parallel_sort(list, less);
    EXPECT_LT(static_cast<double>(calls), 1.25 * n) << "in order already";
}

TEST(parallel_sort, a_comparison_that_is_no_order_loses_nothing) {
    std::vector<item> list = items(random_ints(40'000, 100, 9));
    std::atomic<std::uint32_t> state{1};
    const free_workers workers(3);
    for (int round = 0; round < 3; ++round) {
        parallel_sort(list, [&](const item &, const item &) {
            return ((state += 0x9e3779b9u) * 2654435761u >> 16) % 2 == 0;
        });
        EXPECT_TRUE(nothing_is_missing(list));
    }
}

// --- Exceptions ---

TEST(parallel_sort_exceptions, at_each_comparison_all_elements_stay) {
    for (const std::size_t n : {2u, 32u, 33u, 300u}) {
        const std::vector<item> unsorted = items(random_ints(n, 50, 10));
        const scripted_workers workers(1);
        int stop = 0;
        for (bool threw = true; threw; ++stop) {
            std::vector<item> list = unsorted;
            int calls = 0;
            threw = who_throws([&] {
                        parallel_sort(list, [&](const item &a, const item &b) {
                            if (calls++ == stop)
                                throw thrown(stop);
                            return by_key(a, b);
                        });
                    }) == stop;
            ASSERT_TRUE(nothing_is_missing(list)) << n << " elements, comparison " << stop;
            if (!threw)
                ASSERT_EQ(list, sorted(unsorted));
        }
        EXPECT_GE(stop, static_cast<int>(n));
    }
}

// What the comparisons of a sort on one worker throw, in their order, if each of which `throws(a,
// b)` is true does; and what leaves the sort.
struct thrown_by_a_sort {
    std::vector<int> in_order;
    int left;
};

template <class Throws>
thrown_by_a_sort sort_on_one_worker(std::vector<int> list, Throws throws) {
    thrown_by_a_sort seen;
    const scripted_workers workers(1);
    seen.left = who_throws([&] {
        parallel_sort(list, [&](int a, int b) {
            if (throws(a, b)) {
                seen.in_order.push_back(static_cast<int>(seen.in_order.size()));
                throw thrown(seen.in_order.back());
            }
            return a < b;
        });
    });
    return seen;
}

// In the leaves, in merges, in the parts of a large merge.
TEST(parallel_sort_exceptions, of_several_the_first_leaves) {
    for (const std::size_t n : {300u, 2048u, 2049u, 40'000u}) {
        const std::vector<int> list = random_ints(n, 1'000'000, 12);
        for (const int rarity : {1, 7, 1000}) {
            const auto seen =
                sort_on_one_worker(list, [=](int a, int b) { return (a ^ b) % rarity == 0; });
            EXPECT_EQ(seen.left, seen.in_order.empty() ? -1 : 0) << n << ", " << rarity;
            if (rarity < 10)
                EXPECT_GT(seen.in_order.size(), 1U) << n << ", " << rarity;
        }
    }
}

TEST(parallel_sort_exceptions, of_both_parts_of_a_merge_that_of_the_first_leaves) {
    // Only the last merge compares an even number with an odd one. It cuts itself in two, for which
    // it compares a few.
    const int n = 20'000;
    std::vector<int> list;
    for (int i = 0; i < n; ++i)
        list.push_back(i < n / 2 ? 2 * i : 2 * (i - n / 2) + 1);
    int mixed = 0;
    const auto seen =
        sort_on_one_worker(list, [&](int a, int b) { return a % 2 != b % 2 && ++mixed > 100; });
    EXPECT_EQ(seen.in_order, (std::vector<int>{0, 1}));
    EXPECT_EQ(seen.left, 0);
}

// Pairs that throw are scattered: with `rarity` 1 all do.
int pair_that_throws(const item &a, const item &b, std::uint32_t seed, std::uint32_t rarity) {
    const auto mixed = (static_cast<std::uint32_t>(a.place) * 2654435761u ^
                        static_cast<std::uint32_t>(b.place) * 40503u ^ seed) *
                       0x9e3779b9u;
    return (mixed >> 8) % rarity == 0 ? a.place * 65536 + b.place : -1;
}

int sort_that_throws(std::vector<item> &list, std::uint32_t seed, std::uint32_t rarity,
                     now_and_then &steal) {
    return who_throws([&] {
        parallel_sort(list, [&](const item &a, const item &b) {
            steal();
            if (const int who = pair_that_throws(a, b, seed, rarity); who >= 0)
                throw thrown(who);
            return by_key(a, b);
        });
    });
}

TEST(parallel_sort_exceptions, the_serial_one_leaves_however_it_is_stolen_from) {
    const nothing_leaks check;
    const std::vector<item> unsorted = items(random_ints(32'000, 20'000, 11));
    // From a dozen of exceptions in the leaves to a few in the last merges.
    const std::uint32_t rarities[] = {20'000, 200'000, 400'000};
    std::vector<int> serial;
    now_and_then never(~0u), steal(1009);
    {
        const scripted_workers workers(1);
        for (std::uint32_t seed = 0; seed < 12; ++seed) {
            std::vector<item> list = unsorted;
            serial.push_back(sort_that_throws(list, seed, rarities[seed % 3], never));
        }
    }
    EXPECT_GT(std::count_if(serial.begin(), serial.end(), [](int who) { return who >= 0; }), 6);
    const scripted_workers workers(4);
    for (std::uint32_t seed = 0; seed < 12; ++seed) {
        std::vector<item> list = unsorted;
        EXPECT_EQ(sort_that_throws(list, seed, rarities[seed % 3], steal), serial[seed])
            << "seed " << seed;
        EXPECT_TRUE(nothing_is_missing(list)) << "seed " << seed;
    }
    EXPECT_GT(saguaro::stats().steals, 0u);
}

// --- Where it is called ---

TEST(parallel_sort, within_other_constructs) {
    std::vector<std::vector<item>> lists;
    std::vector<std::vector<item>> expected;
    for (unsigned i = 0; i < 6; ++i) {
        lists.push_back(items(random_ints(6000 + i, 77, i)));
        expected.push_back(sorted(lists.back()));
    }
    now_and_then steal(997);
    const auto less = [&](const item &a, const item &b) {
        steal();
        return by_key(a, b);
    };
    const scripted_workers workers(3);
    saguaro::run([&] {
        saguaro::parallel_invoke([&] { parallel_sort(lists[0], less); },
                                 [&] { parallel_sort(lists[1], less); });
        saguaro::parallel_for(std::size_t{2}, std::size_t{4},
                              [&](std::size_t i) { parallel_sort(lists[i], less); });
        saguaro::with_scope([&](saguaro::scope &s) {
            s.spawn([&] { parallel_sort(lists[4], less); });
            s.spawn([&] { parallel_sort(lists[5], less); });
        });
    });
    EXPECT_EQ(lists, expected);
}

TEST(parallel_sort, enters_a_worker) {
    std::vector<int> list{3, 1, 2};
    std::vector<int> callers;
    const free_workers workers(2);
    EXPECT_EQ(saguaro::worker_id(), -1);
    parallel_sort(list, [&](int a, int b) {
        callers.push_back(saguaro::worker_id());
        return a < b;
    });
    EXPECT_EQ(list, (std::vector<int>{1, 2, 3}));
    EXPECT_FALSE(callers.empty());
    EXPECT_EQ(std::count(callers.begin(), callers.end(), -1), 0);
}

} // namespace
