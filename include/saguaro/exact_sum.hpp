// SPDX-License-Identifier: MIT
// exact_sum: a floating-point sum that is rounded once, at the end. So it does not depend on the
// order of its addends.
//
//     saguaro::reducer<saguaro::exact_sum<double>> total;
//     saguaro::parallel_for(0, n, [&](int i) { *total += weight(i); });
//     double sum = total.get();
//
// The accumulator is the small superaccumulator of Neal, "Fast exact summation using small and
// large superaccumulators", 2015 (arXiv:1505.05571): a fixed-point number as wide as the type's
// whole range, which Kulisch proposed, in digits that overlap so that carries can wait.
#pragma once

#include "saguaro/detail/cxx20.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace saguaro {

// The exact sum of any number (up to 2^62) of values of T, float or double. 560 bytes for double,
// 104 for float; trivially copyable.
template <std::floating_point T>
    requires(std::numeric_limits<T>::is_iec559 && sizeof(T) <= 8)
class superaccumulator {
public:
    superaccumulator() = default;
    superaccumulator(T x) { add(x); }

    superaccumulator &operator+=(T x) {
        add(x);
        return *this;
    }
    superaccumulator &operator-=(T x) {
        add(-x);
        return *this;
    }

    // Adds all that was added to `other`. Linear in the number of digits (68 for double).
    superaccumulator &operator+=(superaccumulator other) {
        other.carry();
        for (std::size_t i = 0; i < digits; ++i)
            digit_[i] += other.digit_[i];
        seen_ |= other.seen_;
        count_one();
        return *this;
    }

    // The sum, rounded to nearest, ties to even, whatever the rounding mode; infinite if it is out
    // of range, though no sum of a part of the addends need be in range. Subnormal results are
    // rounded as any other. A NaN among the addends, or infinities of both signs, make it NaN
    // (always the same one); infinities of one sign make it that one. Zero is -0 if all addends
    // were, and there were any; else +0. Linear in the number of digits.
    T value() const {
        if ((seen_ & nan) != 0 || (seen_ & both_infinities) == both_infinities)
            return limits::quiet_NaN();
        if ((seen_ & both_infinities) != 0)
            return (seen_ & plus_infinity) != 0 ? limits::infinity() : -limits::infinity();
        superaccumulator magnitude = *this;
        magnitude.carry();
        const bool negative = magnitude.digit_[digits - 1] < 0;
        if (negative)
            magnitude.negate();
        const T sum = magnitude.rounded();
        return negative || seen_ == minus_zero ? -sum : sum;
    }
    operator T() const { return value(); }

private:
    using bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
    using limits = std::numeric_limits<T>;

    // The format: sign, exponent field, and a fraction of precision-1 bits.
    static constexpr unsigned precision = limits::digits;
    static constexpr unsigned greatest_exponent = 2 * limits::max_exponent - 1; // not finite
    static constexpr bits hidden_bit = bits(1) << (precision - 1);
    static constexpr bits sign_bit = bits(1) << (8 * sizeof(T) - 1);

    // The sum is that of digit_[i] * 2^(32 i), in units of the least subnormal. The greatest
    // addend ends below bit greatest_exponent - 2 + precision; above there is room for 2^62 of it.
    static constexpr std::size_t digits = (greatest_exponent - 2 + precision + 62) / 32 + 1;
    static constexpr int unit = limits::min_exponent - limits::digits;

    // An addend adds less than 2^32 to one digit and less than 2^(precision-1) to the next. After
    // so many, each added to a digit below 2^32, none has left its 64 bits.
    static constexpr std::uint64_t most_pending =
        (std::uint64_t(1) << (63 - (precision > 33 ? precision - 1 : 32))) - 2;

    // What an accumulator has seen beside the digits.
    static constexpr unsigned other_number = 1, minus_zero = 2, plus_infinity = 4,
                              minus_infinity = 8, nan = 16,
                              both_infinities = plus_infinity | minus_infinity;

    void add(T x) {
        const bits representation = std::bit_cast<bits>(x);
        const auto exponent =
            static_cast<unsigned>(representation >> (precision - 1)) & greatest_exponent;
        if (exponent == greatest_exponent) [[unlikely]] {
            seen_ |= (representation & (hidden_bit - 1)) != 0 ? nan
                     : (representation & sign_bit) == 0       ? plus_infinity
                                                              : minus_infinity;
            return;
        }
        seen_ |= representation == sign_bit ? minus_zero : other_number;
        // Subnormal numbers have the least exponent of the normal ones and no hidden bit.
        const bool normal = exponent != 0;
        const std::uint64_t significand =
            (representation & (hidden_bit - 1)) | (normal ? hidden_bit : bits(0));
        const unsigned position = exponent - normal;
        const unsigned shift = position % 32;
        const auto low = static_cast<std::int64_t>((significand << shift) & 0xffffffff);
        const auto high = static_cast<std::int64_t>(significand >> (32 - shift));
        // Two's complement by hand: signs are hard to predict.
        const std::int64_t sign = (representation & sign_bit) != 0 ? -1 : 0;
        std::int64_t *const digit = &digit_[position / 32];
        digit[0] += (low ^ sign) - sign;
        // Two accesses, not one of 16 bytes: the next addition often overlaps by half with this
        // one, and then waits until it has reached the cache. gcc 12 -O2: 18 ns, not 4 ns.
        __asm__("" : "+m"(digit[0]));
        digit[1] += (high ^ sign) - sign;
        count_one();
    }

    void count_one() {
        if (++pending_ == most_pending) [[unlikely]]
            carry();
    }

    // Brings all digits but the last one to the range of 0 to 2^32 - 1. The last one has the sign.
    void carry() {
        for (std::size_t i = 0; i + 1 < digits; ++i) {
            digit_[i + 1] += digit_[i] >> 32;
            digit_[i] &= 0xffffffff;
        }
        pending_ = 0;
    }

    void negate() {
        for (std::int64_t &d : digit_)
            d = -d;
        carry();
    }

    // The 64 bits from bit `position` on, of a sum that is carried and not negative.
    std::uint64_t bits_from(std::size_t position) const {
        const auto at = [this](std::size_t i) {
            return i < digits ? static_cast<std::uint64_t>(digit_[i]) : 0;
        };
        const std::size_t i = position / 32;
        const std::size_t shift = position % 32;
        const std::uint64_t lower = at(i) | at(i + 1) << 32;
        return shift == 0 ? lower : lower >> shift | at(i + 2) << (64 - shift);
    }

    // Whether any of the bits below `position` is set.
    bool any_below(std::size_t position) const {
        for (std::size_t i = 0; i < position / 32; ++i)
            if (digit_[i] != 0)
                return true;
        const std::uint64_t mask = (std::uint64_t(1) << position % 32) - 1;
        return (static_cast<std::uint64_t>(digit_[position / 32]) & mask) != 0;
    }

    // The number that is nearest to a sum that is carried and not negative.
    T rounded() const {
        std::size_t top = digits;
        while (top > 0 && digit_[top - 1] == 0)
            --top;
        if (top == 0)
            return 0;
        const auto width = static_cast<unsigned>(
            std::bit_width(static_cast<std::uint64_t>(digit_[top - 1])) + 32 * (top - 1));
        if (width <= precision)
            return std::ldexp(static_cast<T>(bits_from(0)), unit);
        const unsigned dropped = width - precision;
        std::uint64_t kept = bits_from(dropped);
        const bool half = (bits_from(dropped - 1) & 1) != 0;
        if (half && ((kept & 1) != 0 || any_below(dropped - 1)))
            ++kept;
        return std::ldexp(static_cast<T>(kept), static_cast<int>(dropped) + unit);
    }

    std::array<std::int64_t, digits> digit_{};
    std::uint64_t pending_ = 0; // how often was added to a digit since the last carry
    unsigned seen_ = 0;
};

// The sum of all addends as if computed without rounding, then rounded once: more accurate than any
// serial loop, the same bits on any number of workers, with any steals, and in any order. It is in
// general not what a serial loop with rounding additions gives: serial_sum is.
//
// A view is a superaccumulator<T>: `*r += x` and `*r -= x`; r.get() converts to T. An addition is
// some integer operations on two words of the view; making and joining views are linear in its
// 560 bytes for double, 104 for float.
template <std::floating_point T>
struct exact_sum {
    using value_type = superaccumulator<T>;
    value_type identity() const { return {}; }
    void reduce(value_type &left, value_type &&right) const { left += right; }
};

} // namespace saguaro
