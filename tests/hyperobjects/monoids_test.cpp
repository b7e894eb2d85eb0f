// SPDX-License-Identifier: MIT
// Tests of the built-in monoids: identities, ties and laws.
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

#include "forced.hpp"
#include "joined.hpp"
#include "saguaro/reducer.hpp"

namespace saguaro {
namespace {

using namespace saguaro::test;

// The identity changes nothing on either side.
template <typename M>
void expect_neutral(const M &m, const typename M::value_type &value) {
    static_assert(monoid<M>);
    EXPECT_EQ(joined(m, m.identity(), value), value);
    EXPECT_EQ(joined(m, value, m.identity()), value);
}

TEST(monoids, add) {
    EXPECT_EQ(joined(add<long>(), 3, 4), 7);
    EXPECT_EQ(joined(add<std::uint8_t>(), 200, 100), 44);
    expect_neutral(add<double>(), -1.5);
}

TEST(monoids, min_and_max_of_numbers) {
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

TEST(monoids, min_and_max_of_other_types_start_empty) {
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
struct lettered {
    int key;
    char tag;
    bool operator<(const lettered &other) const { return key < other.key; }
};

TEST(monoids, first_of_equals_stays) {
    EXPECT_EQ(joined(min<lettered>(), lettered{1, 'l'}, lettered{1, 'r'})->tag, 'l');
    EXPECT_EQ(joined(max<lettered>(), lettered{1, 'l'}, lettered{1, 'r'})->tag, 'l');
}

// Two by two, modulo 2^32: the order counts.
struct matrix {
    std::uint32_t a = 0, b = 0, c = 0, d = 0;
    matrix() = default;
    explicit matrix(int diagonal)
        : a(static_cast<std::uint32_t>(diagonal)), d(static_cast<std::uint32_t>(diagonal)) {}
    matrix(std::uint32_t a1, std::uint32_t b1, std::uint32_t c1, std::uint32_t d1)
        : a(a1), b(b1), c(c1), d(d1) {}
    matrix &operator*=(const matrix &o) {
        return *this = matrix(a * o.a + b * o.c, a * o.b + b * o.d, c * o.a + d * o.c,
                              c * o.b + d * o.d);
    }
    bool operator==(const matrix &) const = default;
};

TEST(monoids, mul) {
    EXPECT_EQ(joined(mul<long>(), 3, 4), 12);
    EXPECT_EQ(joined(mul<std::uint8_t>(), 200, 3), 88);
    EXPECT_EQ(joined(mul<std::uint16_t>(), 65535, 65535), 1) << "wraps, though int overflows";
    EXPECT_EQ(joined(mul<std::uint64_t>(), 1ULL << 63, 3), 1ULL << 63);
    expect_neutral(mul<double>(), -1.5);
    const auto random_matrix = [](std::mt19937 &random) {
        // Of determinant 1, or products would soon be zero.
        const auto x = static_cast<std::uint32_t>(random());
        const auto y = static_cast<std::uint32_t>(random());
        return matrix(1 + x * y, x, y, 1);
    };
    test::expect_laws(mul<matrix>(), random_matrix, same);
    test::expect_serial_result(
        mul<matrix>(), 200,
        [&](matrix &view, int i) {
            std::mt19937 random(static_cast<unsigned>(i));
            view *= random_matrix(random);
        },
        same);
}

TEST(monoids, min_index_and_max_index) {
    using found = indexed<int, double>;
    EXPECT_EQ(joined(min_index<int, double>(), found{5, 2}, found{1, 1}), (found{1, 1}));
    EXPECT_EQ(joined(max_index<int, double>(), found{5, 2}, found{1, 1}), (found{5, 2}));
    EXPECT_EQ(joined(min_index<int, double>(), found{5, 1}, found{1, 1})->index, 5) << "the first";
    EXPECT_EQ(joined(max_index<int, double>(), found{5, 1}, found{1, 1})->index, 5) << "the first";
    expect_neutral(min_index<int, double>(), std::nullopt);
    const double infinity = std::numeric_limits<double>::infinity();
    expect_neutral(min_index<int, double>(), found{3, infinity});
    expect_neutral(max_index<int, double>(), found{3, -infinity});
}

TEST(monoids, index_and_value_may_be_of_any_type) {
    using by_name = min_index<std::unique_ptr<int>, std::string>;
    by_name::value_type view = by_name().identity();
    by_name::update(view, std::make_unique<int>(1), "b");
    by_name::update(view, std::make_unique<int>(2), "a");
    by_name::update(view, std::make_unique<int>(3), "a");
    EXPECT_EQ(*view->index, 2);
}

// A NaN anywhere changes nothing, wherever a strand begins.
TEST(monoids, min_index_and_max_index_under_steals) {
    const auto check = [](auto m) {
        using M = decltype(m);
        const auto update = [](auto &view, int i) {
            const double nan = std::numeric_limits<double>::quiet_NaN();
            M::update(view, i, i % 3 == 1 ? nan : i * 37 % 20);
        };
        test::expect_serial_result(m, 300, update, same);
        test::expect_laws(
            m,
            [&](std::mt19937 &random) {
                typename M::value_type view;
                for (int i = static_cast<int>(random() % 4); i > 0; --i)
                    update(view, static_cast<int>(random() % 1000));
                return view;
            },
            same);
    };
    check(min_index<int, double>());
    check(max_index<int, double>());
}

TEST(monoids, bits) {
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

TEST(monoids, appending_keeps_the_order) {
    using list = std::list<int>;
    using vector = std::vector<int>;
    EXPECT_EQ(joined(list_append<int>(), list{1, 2}, list{3}), (list{1, 2, 3}));
    EXPECT_EQ(joined(vector_append<int>(), vector{1, 2}, vector{3}), (vector{1, 2, 3}));
    EXPECT_EQ(joined(string_append(), "ab", "c"), "abc");
    expect_neutral(list_append<int>(), list{1});
    expect_neutral(vector_append<int>(), vector{1});
    expect_neutral(string_append(), "a");
}

TEST(monoids, vectors_may_hold_move_only_elements) {
    std::vector<std::unique_ptr<int>> left, right;
    left.push_back(std::make_unique<int>(1));
    right.push_back(std::make_unique<int>(2));
    vector_append<std::unique_ptr<int>>().reduce(left, std::move(right));
    ASSERT_EQ(left.size(), 2U);
    EXPECT_EQ(*left[1], 2);
}

} // namespace
} // namespace saguaro
