// SPDX-License-Identifier: MIT
// Tests that exact sums round once, and propagate infinities and NaNs.
#include "saguaro/exact_sum.hpp"

#include "forced.hpp"
#include "joined.hpp"

#include <algorithm>
#include <bit>
#include <cfenv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace saguaro {
namespace {

using namespace saguaro::test;

__extension__ using int128 = __int128;

template <class T>
T exact(const std::vector<T> &values) {
    superaccumulator<T> sum;
    for (const T x : values)
        sum += x;
    return sum.value();
}

template <class T>
class exact_sum_of : public testing::Test {
public:
    using limits = std::numeric_limits<T>;
    static constexpr T infinity = limits::infinity();
    static constexpr T nan = limits::quiet_NaN();
    static constexpr T max = limits::max();
    static constexpr T least = limits::denorm_min();
    // The exponent of `least`, and that of the last bit of `max`.
    static constexpr int lowest = limits::min_exponent - limits::digits;
    static constexpr int highest = limits::max_exponent - limits::digits;

    static void expect_sum(std::vector<T> values, T expected) {
        EXPECT_EQ(bits(exact(values)), bits(expected)) << expected;
        std::reverse(values.begin(), values.end());
        EXPECT_EQ(bits(exact(values)), bits(expected)) << expected;
    }
};
using both = testing::Types<double, float>;
TYPED_TEST_SUITE(exact_sum_of, both);

// Against integers of 128 bits: addends are m * 2^(s+scale), |m| < 2^digits and s <= 50. The
// conversion of such a sum to T rounds to nearest even; then a power of two is only a scale, at the
// lowest as well, where all are whole numbers of the least number, or leads out of range.
TYPED_TEST(exact_sum_of, random_addends_are_rounded_once) {
    using T = TypeParam;
    using here = exact_sum_of<T>;
    std::mt19937_64 random(1);
    for (const int scale : {here::lowest, here::lowest + 7, -40, 0, here::highest - 50})
        for (int round = 0; round < 2000; ++round) {
            int128 expected = 0;
            std::vector<T> values;
            const std::size_t n = random() % 30;
            for (std::size_t i = 0; i < n; ++i) {
                auto m = static_cast<std::int64_t>(random() >> (64 - here::limits::digits));
                if (random() % 2 == 0)
                    m = -m;
                const int s = static_cast<int>(random() % 51);
                expected += static_cast<int128>(m) << s;
                values.push_back(std::ldexp(static_cast<T>(m), s + scale));
                if (random() % 4 == 0) { // what cancels must leave no trace
                    const T x = values[random() % values.size()];
                    values.push_back(x);
                    values.push_back(-x);
                }
            }
            ASSERT_EQ(exact(values), std::ldexp(static_cast<T>(expected), scale))
                << "scale " << scale << " round " << round;
        }
}

TYPED_TEST(exact_sum_of, ties_go_to_even_and_what_is_beyond_decides) {
    using T = TypeParam;
    using here = exact_sum_of<T>;
    const T unit = here::limits::epsilon();
    const T half = unit / 2;
    here::expect_sum({1, half}, 1);
    here::expect_sum({1 + unit, half}, 1 + 2 * unit);
    here::expect_sum({1, half, here::least}, 1 + unit);
    here::expect_sum({1, half, -here::least}, 1);
    here::expect_sum({-1, -half, -here::least}, -1 - unit);
    here::expect_sum({2 - unit, half}, 2);
}

TYPED_TEST(exact_sum_of, sums_in_between_may_overflow) {
    using T = TypeParam;
    using here = exact_sum_of<T>;
    here::expect_sum({here::max, here::max, 1, -here::max, -here::max}, 1);
    here::expect_sum({here::max, here::max}, here::infinity);
    here::expect_sum({-here::max, -here::max, here::least}, -here::infinity);
    const T ulp = std::ldexp(T(1), here::highest);
    here::expect_sum({here::max, ulp / 2}, here::infinity);
    here::expect_sum({here::max, ulp / 2, -here::least}, here::max);
    here::expect_sum({here::max, ulp / 4}, here::max);
}

TYPED_TEST(exact_sum_of, subnormal_numbers) {
    using T = TypeParam;
    using here = exact_sum_of<T>;
    here::expect_sum({here::least}, here::least);
    here::expect_sum({here::least, here::least}, 2 * here::least);
    const T normal = here::limits::min();
    here::expect_sum({normal, -here::least}, normal - here::least);
    here::expect_sum({normal - here::least, here::least}, normal);
    here::expect_sum({1, here::least, -1}, here::least);
    here::expect_sum({here::max, -here::least, -here::max}, -here::least);
}

TYPED_TEST(exact_sum_of, zeros) {
    using T = TypeParam;
    using here = exact_sum_of<T>;
    here::expect_sum({}, T(0));
    here::expect_sum({T(-0.0)}, T(-0.0));
    here::expect_sum({T(-0.0), T(-0.0)}, T(-0.0));
    here::expect_sum({T(-0.0), T(0)}, T(0));
    here::expect_sum({1, -1, T(-0.0)}, T(0));
    superaccumulator<T> left, right(T(-0.0));
    left += right;
    EXPECT_EQ(bits(left.value()), bits(T(-0.0)));
    left += superaccumulator<T>(T(0));
    EXPECT_EQ(bits(left.value()), bits(T(0)));
}

TYPED_TEST(exact_sum_of, infinities_and_nan) {
    using T = TypeParam;
    using here = exact_sum_of<T>;
    here::expect_sum({1, here::infinity, -here::max}, here::infinity);
    here::expect_sum({-here::infinity, here::max, here::max}, -here::infinity);
    here::expect_sum({here::infinity, here::infinity}, here::infinity);
    here::expect_sum({here::infinity, 1, -here::infinity}, here::nan);
    here::expect_sum({1, -here::nan, here::infinity}, here::nan);
    superaccumulator<T> left(here::infinity);
    left += superaccumulator<T>(-here::infinity);
    EXPECT_EQ(bits(left.value()), bits(here::nan));
}

// Digits are carried before they leave their words, wherever in a word the addends stand.
TYPED_TEST(exact_sum_of, many_addends_of_one_digit) {
    using T = TypeParam;
    const T all_bits = T(2) - exact_sum_of<T>::limits::epsilon();
    for (int s = 0; s < 32; ++s)
        for (const T x : {std::ldexp(all_bits, s), std::ldexp(-all_bits, s)}) {
            superaccumulator<T> sum;
            for (int i = 0; i < (1 << 14); ++i)
                sum += x;
            ASSERT_EQ(sum.value(), std::ldexp(x, 14));
            for (int i = 0; i < 40; ++i)
                sum += superaccumulator<T>(sum);
            ASSERT_EQ(sum.value(), std::ldexp(x, 54));
        }
}

TYPED_TEST(exact_sum_of, laws) {
    using T = TypeParam;
    expect_laws(
        exact_sum<T>(),
        [](std::mt19937 &random) {
            superaccumulator<T> sum;
            for (std::size_t n = random() % 6; n > 0; --n) {
                using word = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
                // Any bits: all sizes, sometimes infinite or NaN.
                sum +=
                    std::bit_cast<T>(static_cast<word>(std::uint64_t(random()) << 32 | random()));
            }
            return sum;
        },
        bits_of_sum);
}

TYPED_TEST(exact_sum_of, same_bits_under_steals) {
    using T = TypeParam;
    std::mt19937 random(7);
    std::vector<T> values;
    for (int i = 0; i < 300; ++i)
        values.push_back(
            std::ldexp(static_cast<T>(random()) - T(2e9), static_cast<int>(random() % 40) - 20));
    const T expected = exact(values);
    T loop = 0;
    for (const T x : values)
        loop += x;
    EXPECT_NE(bits(loop), bits(expected)) << "the serial loop's roundings differ";
    expect_serial_result(
        exact_sum<T>(), 300,
        [&](auto &view, int i) { view += values[static_cast<std::size_t>(i)]; }, bits_of_sum);
}

TEST(exact_sum, rounding_mode_does_not_matter) {
    const int before = std::fegetround();
    for (const int mode : {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
        ASSERT_EQ(std::fesetround(mode), 0);
        const double sum = exact<double>({1, 0x1p-60});
        const double tie = exact<double>({-1, -0x1.8p-52});
        std::fesetround(before);
        EXPECT_EQ(sum, 1);
        EXPECT_EQ(tie, -1 - 0x1p-51);
    }
}

TEST(exact_sum, reads_and_writes_as_a_number) {
    reducer<exact_sum<double>> r(0.5);
    *r += 1;
    *r -= 0.25;
    const double sum = r.get();
    EXPECT_EQ(sum, 1.25);
    EXPECT_EQ(r.take().value(), 1.25);
    EXPECT_EQ(r.get().value(), 0);
}

} // namespace
} // namespace saguaro
