// SPDX-License-Identifier: MIT
// histogram and top_k.
#include "forced.hpp"
#include "joined.hpp"

#include "saguaro/histogram.hpp"
#include "saguaro/top_k.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace saguaro {
namespace {

using namespace saguaro::test;

TEST(histogram, bins_are_added) {
    using bins = std::array<int, 3>;
    EXPECT_EQ(joined(histogram<3, int>(), {1, 2, 3}, {10, 0, 30}), (bins{11, 2, 33}));
    EXPECT_EQ((histogram<3, int>().identity()), (bins{0, 0, 0}));
}

TEST(histogram, the_longer_of_two_decides) {
    using bins = std::vector<int>;
    const histogram<std::dynamic_extent, int> m;
    EXPECT_EQ(joined(m, {1, 2}, {10}), (bins{11, 2}));
    EXPECT_EQ(joined(m, {1}, {10, 20}), (bins{11, 20}));
    EXPECT_EQ((histogram<std::dynamic_extent, int>(4).identity()), (bins{0, 0, 0, 0}));
}

TEST(histogram, counting_makes_the_bin) {
    std::vector<std::uint64_t> view;
    histogram<>::count(view, 2);
    histogram<>::count(view, 2);
    histogram<>::count(view, 0, 5);
    EXPECT_EQ(view, (std::vector<std::uint64_t>{5, 0, 2}));
}

TEST(histogram, laws) {
    expect_laws(
        histogram<5>(),
        [](std::mt19937 &random) {
            std::array<std::uint64_t, 5> bins;
            for (auto &count : bins)
                count = random() % 100;
            return bins;
        },
        same);
    expect_laws(
        histogram<>(3),
        [](std::mt19937 &random) {
            std::vector<std::uint64_t> bins(3 + random() % 5);
            for (auto &count : bins)
                count = random() % 100;
            return bins;
        },
        same);
}

TEST(histogram, serial_result_under_steals) {
    expect_serial_result(
        histogram<17>(), 300, [](auto &view, int i) { ++view[static_cast<std::size_t>(i % 17)]; },
        same);
    expect_serial_result(
        histogram<>(), 300,
        [](auto &view, int i) { histogram<>::count(view, static_cast<std::size_t>(i * i % 101)); },
        same);
    expect_serial_result(
        histogram<>(17), 300,
        [](auto &view, int i) { ++view.at(static_cast<std::size_t>(i % 17)); }, same);
}

// A count with an alignment of its own that counts what lives.
struct alignas(128) wide_count : counted {
    wide_count &operator+=(wide_count &&other) {
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(this) % 128, 0u);
        value += other.value;
        return *this;
    }
};

TEST(histogram, counts_may_be_objects) {
    const nothing_leaks check;
    expect_serial_result(
        histogram<5, wide_count>(), 100,
        [](auto &view, int i) { ++view[static_cast<std::size_t>(i % 5)].value; },
        [](const auto &view) {
            std::vector<int> values;
            for (const wide_count &count : view)
                values.push_back(count.value);
            return values;
        });
}

// Compared by the key alone; the tag tells equal ones apart.
struct tagged {
    int key;
    int tag;
    bool operator<(const tagged &other) const { return key < other.key; }
    bool operator==(const tagged &) const = default;
};

std::vector<tagged> random_values(std::mt19937 &random, std::size_t n) {
    std::vector<tagged> values;
    for (std::size_t i = 0; i < n; ++i)
        values.push_back({static_cast<int>(random() % 8), static_cast<int>(random())});
    return values;
}

const auto sorted = [](auto &&view) { return std::forward<decltype(view)>(view).sorted(); };

TEST(top_k, is_the_head_of_a_stable_sort) {
    std::mt19937 random(1);
    for (std::size_t round = 0; round < 300; ++round) {
        const std::size_t k = round % 20;
        std::vector<tagged> values = random_values(random, round / 3);
        greatest_values<tagged> best(k);
        for (const tagged &value : values)
            best.push(value);
        EXPECT_EQ(best.size(), std::min(k, values.size()));
        std::stable_sort(values.begin(), values.end(),
                         [](const tagged &a, const tagged &b) { return b < a; });
        values.resize(std::min(k, values.size()));
        EXPECT_EQ(best.sorted(), values);
    }
}

TEST(top_k, laws) {
    for (const std::size_t k : {0u, 1u, 4u, 50u})
        expect_laws(
            top_k<tagged>(k),
            [k](std::mt19937 &random) {
                greatest_values<tagged> best(k);
                for (const tagged &value : random_values(random, random() % 12))
                    best.push(value);
                return best;
            },
            sorted);
}

TEST(top_k, what_is_pushed_after_a_join_comes_later) {
    const top_k<tagged> m(2);
    greatest_values<tagged> left = m.identity(), right = m.identity();
    left.push({1, 0});
    right.push({1, 1});
    m.reduce(left, std::move(right));
    left.push({1, 2});
    left.push({0, 3});
    EXPECT_EQ(left.sorted(), (std::vector<tagged>{{1, 0}, {1, 1}}));
}

TEST(top_k, serial_result_under_steals) {
    for (const std::size_t k : {1u, 10u, 1000u})
        expect_serial_result(
            top_k<tagged>(k), 300, [](auto &view, int i) { view.push({i * 37 % 11, i}); }, sorted);
}

TEST(top_k, any_order) {
    expect_serial_result(
        top_k<std::string, std::greater<>>(7), 200,
        [](auto &view, int i) { view.push(std::to_string(i * 7919 % 997)); }, sorted);
}

// By value, of move-only things.
struct by_value {
    bool operator()(const std::unique_ptr<int> &a, const std::unique_ptr<int> &b) const {
        return *a < *b;
    }
};

TEST(top_k, values_may_be_move_only) {
    expect_serial_result(
        top_k<std::unique_ptr<int>, by_value>(5), 200,
        [](auto &view, int i) { view.push(std::make_unique<int>(i * 7919 % 997)); },
        [](auto &&view) {
            std::vector<int> values;
            for (const auto &value : std::move(view).sorted())
                values.push_back(*value);
            return values;
        });
}

struct by_number {
    bool operator()(const counted &a, const counted &b) const { return a.value < b.value; }
};

TEST(top_k, nothing_leaks) {
    const nothing_leaks check;
    expect_serial_result(
        top_k<counted, by_number>(5), 200, [](auto &view, int i) { view.push(counted(i % 31)); },
        [](const auto &view) {
            std::vector<int> values;
            for (const counted &value : view.sorted())
                values.push_back(value.value);
            return values;
        });
}

} // namespace
} // namespace saguaro
