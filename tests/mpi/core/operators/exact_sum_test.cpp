// SPDX-License-Identifier: MIT
// Sums at the edges of the types; launcher/reduce_test.py compares random ones with rational
// numbers.
#include "mpi/core/operators/exact_sum.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <initializer_list>
#include <limits>
#include <vector>

namespace saguaro::mpi {
namespace {

template <class T>
T sum(std::initializer_list<T> terms) {
    std::vector<const T *> each;
    for (const T &term : terms)
        each.push_back(&term);
    T result = 1;
    sum_exactly<T>(each, &result, 1);
    return result;
}

// With its negative it adds nothing; but no number of two parts holds such a sum meanwhile.
template <class T>
constexpr T great = std::numeric_limits<T>::max();

template <class T>
class exact_sums : public testing::Test {};

using types = testing::Types<float, double, long double>;
TYPED_TEST_SUITE(exact_sums, types);

TYPED_TEST(exact_sums, round_ties_to_even) {
    using T = TypeParam;
    const T unit = std::numeric_limits<T>::epsilon();
    const T half = unit / 2;
    const T odd = 1 + unit;
    for (const T far : {T(0), great<TypeParam>}) {
        EXPECT_EQ(sum<TypeParam>({1, half, far, -far}), 1);
        EXPECT_EQ(sum<TypeParam>({odd, half, far, -far}), odd + unit);
        EXPECT_EQ(sum<TypeParam>({-1, -half, far, -far}), -1);
        EXPECT_EQ(sum<TypeParam>({-odd, -half, far, -far}), -odd - unit);
        // A trace beside the tie decides.
        const T trace = std::numeric_limits<TypeParam>::denorm_min();
        EXPECT_EQ(sum<TypeParam>({1, half, trace, far, -far}), odd);
        EXPECT_EQ(sum<TypeParam>({odd, half, -trace, far, -far}), odd);
    }
}

TYPED_TEST(exact_sums, keep_subnormal_numbers) {
    const TypeParam least = std::numeric_limits<TypeParam>::denorm_min();
    for (const TypeParam far : {TypeParam(0), great<TypeParam>}) {
        EXPECT_EQ(sum<TypeParam>({least, least, least, far, -far}), 3 * least);
        EXPECT_EQ(sum<TypeParam>({std::numeric_limits<TypeParam>::min(), -least, far, -far}),
                  std::numeric_limits<TypeParam>::min() - least);
    }
}

TYPED_TEST(exact_sums, go_beyond_the_type_meanwhile) {
    const TypeParam most = great<TypeParam>;
    EXPECT_EQ(sum<TypeParam>({most, most, -most}), most);
    EXPECT_EQ(sum<TypeParam>({most, most}), std::numeric_limits<TypeParam>::infinity());
    EXPECT_EQ(sum<TypeParam>({-most, -most}), -std::numeric_limits<TypeParam>::infinity());
}

TYPED_TEST(exact_sums, have_the_sign_of_their_zeros) {
    EXPECT_TRUE(std::signbit(sum<TypeParam>({TypeParam(-0.0)})));
    EXPECT_TRUE(std::signbit(sum<TypeParam>({TypeParam(-0.0), TypeParam(-0.0)})));
    EXPECT_FALSE(std::signbit(sum<TypeParam>({TypeParam(-0.0), TypeParam(0)})));
    EXPECT_FALSE(std::signbit(sum<TypeParam>({TypeParam(-1), TypeParam(1)})));
    EXPECT_FALSE(std::signbit(
        sum<TypeParam>({-great<TypeParam>, TypeParam(-1), TypeParam(1), great<TypeParam>})));
}

TYPED_TEST(exact_sums, of_no_finite_numbers) {
    const TypeParam infinity = std::numeric_limits<TypeParam>::infinity();
    const TypeParam odd_nan =
        std::copysign(std::numeric_limits<TypeParam>::signaling_NaN(), TypeParam(-1));
    EXPECT_EQ(sum<TypeParam>({infinity}), infinity);
    EXPECT_EQ(sum<TypeParam>({1, infinity, -great<TypeParam>}), infinity);
    EXPECT_EQ(sum<TypeParam>({-infinity, -infinity}), -infinity);
    for (const TypeParam nan : {sum<TypeParam>({infinity, 1, -infinity}), sum<TypeParam>({odd_nan}),
                                sum<TypeParam>({1, odd_nan, infinity})}) {
        EXPECT_TRUE(std::isnan(nan));
        EXPECT_FALSE(std::signbit(nan));
    }
}

// Enough of them for whole blocks of the computation and a part of one.
TYPED_TEST(exact_sums, of_arrays_stay_apart) {
    constexpr std::int64_t count = 200;
    std::vector<TypeParam> a(count), b(count);
    for (std::int64_t i = 0; i < count; ++i) {
        a[static_cast<std::size_t>(i)] = TypeParam(i);
        b[static_cast<std::size_t>(i)] = TypeParam(2 * i);
    }
    const TypeParam *const terms[] = {a.data(), b.data()};
    sum_exactly<TypeParam>(terms, a.data(), count);
    for (std::int64_t i = 0; i < count; ++i)
        EXPECT_EQ(a[static_cast<std::size_t>(i)], TypeParam(3 * i));
}

} // namespace
} // namespace saguaro::mpi
