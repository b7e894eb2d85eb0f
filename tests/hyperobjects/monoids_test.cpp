// SPDX-License-Identifier: MIT
#include "saguaro/monoids.hpp"

#include <cstdint>
#include <gtest/gtest.h>
#include <limits>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "saguaro/reducer.hpp"

namespace saguaro {
namespace {

template <typename M>
typename M::value_type joined(const M &m, typename M::value_type left,
                              typename M::value_type right) {
    m.reduce(left, std::move(right));
    return left;
}

// The identity changes nothing on either side.
template <typename M>
void expect_neutral(const M &m, const typename M::value_type &value) {
    static_assert(monoid<M>);
    EXPECT_EQ(joined(m, m.identity(), value), value);
    EXPECT_EQ(joined(m, value, m.identity()), value);
}

TEST(monoids_test, add) {
    EXPECT_EQ(joined(add<long>(), 3, 4), 7);
    EXPECT_EQ(joined(add<std::uint8_t>(), 200, 100), 44);
    expect_neutral(add<double>(), -1.5);
}

TEST(monoids_test, min_and_max_of_numbers) {
    EXPECT_EQ(joined(min<int>(), 3, 4), 3);
    EXPECT_EQ(joined(max<int>(), 3, 4), 4);
    for (const int value : {std::numeric_limits<int>::min(), 0, std::numeric_limits<int>::max()}) {
        expect_neutral(min<int>(), value);
        expect_neutral(max<int>(), value);
    }
    const double infinity = std::numeric_limits<double>::infinity();
    for (const double value : {-infinity, -1.0, infinity}) {
        expect_neutral(min<double>(), value);
        expect_neutral(max<double>(), value);
    }
    double view = 1;
    max<double>::update(view, std::numeric_limits<double>::quiet_NaN());
    EXPECT_EQ(view, 1);
    max<double>::update(view, 2);
    EXPECT_EQ(view, 2);
}

TEST(monoids_test, min_and_max_of_other_types_start_empty) {
    const min<std::string> m;
    EXPECT_EQ(m.identity(), std::nullopt);
    expect_neutral(m, std::nullopt);
    expect_neutral(m, "b");
    EXPECT_EQ(joined(m, "b", "a"), "a");
    EXPECT_EQ(joined(max<std::string>(), "b", "a"), "b");
    std::optional<std::string> view;
    min<std::string>::update(view, "x");
    min<std::string>::update(view, "y");
    EXPECT_EQ(view, "x");
}

// Compares by its key alone.
struct tagged {
    int key;
    char tag;
    bool operator<(const tagged &other) const { return key < other.key; }
};

TEST(monoids_test, first_of_equals_stays) {
    EXPECT_EQ(joined(min<tagged>(), tagged{1, 'l'}, tagged{1, 'r'})->tag, 'l');
    EXPECT_EQ(joined(max<tagged>(), tagged{1, 'l'}, tagged{1, 'r'})->tag, 'l');
}

TEST(monoids_test, bits) {
    EXPECT_EQ(joined(band<unsigned>(), 6U, 3U), 2U);
    EXPECT_EQ(joined(bor<unsigned>(), 6U, 3U), 7U);
    EXPECT_EQ(joined(bxor<unsigned>(), 6U, 3U), 5U);
    expect_neutral(band<std::uint8_t>(), std::uint8_t{0xA5});
    expect_neutral(band<std::int64_t>(), std::int64_t{-7});
    expect_neutral(bor<short>(), short{-2});
    expect_neutral(bxor<char>(), 'x');
    for (const bool value : {false, true}) {
        expect_neutral(band<bool>(), value);
        expect_neutral(bor<bool>(), value);
        expect_neutral(bxor<bool>(), value);
    }
}

TEST(monoids_test, appending_keeps_the_order) {
    using list = std::list<int>;
    using vector = std::vector<int>;
    EXPECT_EQ(joined(list_append<int>(), list{1, 2}, list{3}), (list{1, 2, 3}));
    EXPECT_EQ(joined(vector_append<int>(), vector{1, 2}, vector{3}), (vector{1, 2, 3}));
    EXPECT_EQ(joined(string_append(), "ab", "c"), "abc");
    expect_neutral(list_append<int>(), list{1});
    expect_neutral(vector_append<int>(), vector{1});
    expect_neutral(string_append(), "a");
}

TEST(monoids_test, vectors_may_hold_move_only_elements) {
    std::vector<std::unique_ptr<int>> left, right;
    left.push_back(std::make_unique<int>(1));
    right.push_back(std::make_unique<int>(2));
    vector_append<std::unique_ptr<int>>().reduce(left, std::move(right));
    ASSERT_EQ(left.size(), 2U);
    EXPECT_EQ(*left[1], 2);
}

} // namespace
} // namespace saguaro
