// SPDX-License-Identifier: MIT
// A sum is first computed in two numbers, by additions whose errors are known exactly (Knuth's
// TwoSum). Only if these do not hold it, it is computed in an integer that is wide enough for all
// numbers of the type.
#include "mpi/core/operators/exact_sum.hpp"

#include "saguaro/exact_sum.hpp"

#include <algorithm>
#include <bit>
#include <cfenv>
#include <cmath>
#include <cstddef>
#include <limits>

namespace saguaro::mpi {

namespace {

__extension__ using wide = unsigned __int128;

// ---- In a wide integer ----

// What saguaro::superaccumulator is for shorter numbers: their sum as digits of 32 bits with signs,
// the least one first. Each is in 64 bits, so 2^31 numbers can be added before a carry is lost.
class long_sum {
    using T = long double;

public:
    void add(T term) {
        int exponent = 0;
        const T fraction = std::frexp(std::fabs(term), &exponent);
        // The mantissa is an integer: term = mantissa * 2^(exponent - precision).
        auto mantissa = static_cast<wide>(std::ldexp(fraction, precision));
        const int place = exponent - precision - lowest;
        const int shift = place % digit_bits;
        // Not the mantissa, which may have no room to be shifted: first what fills a digit.
        std::size_t at = static_cast<std::size_t>(place / digit_bits);
        std::int64_t digit =
            static_cast<std::int64_t>(static_cast<std::uint64_t>(mantissa) << shift & digit_mask);
        mantissa >>= digit_bits - shift;
        for (;;) {
            digits_[at++] += std::signbit(term) ? -digit : digit;
            if (mantissa == 0)
                return;
            digit = static_cast<std::int64_t>(static_cast<std::uint64_t>(mantissa) & digit_mask);
            mantissa >>= digit_bits;
        }
    }

    T rounded() {
        const bool is_negative = carry() < 0;
        if (is_negative) {
            for (std::int64_t &digit : digits_)
                digit = -digit;
            carry();
        }
        const T magnitude = rounded_magnitude();
        return is_negative ? -magnitude : magnitude;
    }

private:
    using limits = std::numeric_limits<T>;
    static constexpr int precision = limits::digits;
    static constexpr int digit_bits = 32;
    static constexpr std::uint64_t digit_mask = 0xffffffff;
    // The exponent of the lowest bit: that of the least subnormal number's mantissa in `add`.
    static constexpr int lowest = limits::min_exponent - 2 * precision + 1;
    // And room for what 2^31 numbers add at the top, and a sign.
    static constexpr std::size_t digits =
        static_cast<std::size_t>((limits::max_exponent - lowest) / digit_bits + 3);

    // Lets each digit but the last be 0 to 2^32 - 1. The last has the sign, which is returned.
    std::int64_t carry() {
        for (std::size_t d = 0; d + 1 < digits; ++d) {
            digits_[d + 1] += digits_[d] >> digit_bits; // rounds down
            digits_[d] &= static_cast<std::int64_t>(digit_mask);
        }
        return digits_[digits - 1];
    }

    bool bit(int at) const {
        return (digits_[static_cast<std::size_t>(at / digit_bits)] >> (at % digit_bits) & 1) != 0;
    }
    bool any_bit_below(int at) const {
        for (int d = 0; d < at / digit_bits; ++d)
            if (digits_[static_cast<std::size_t>(d)] != 0)
                return true;
        const std::int64_t below = (std::int64_t{1} << (at % digit_bits)) - 1;
        return (digits_[static_cast<std::size_t>(at / digit_bits)] & below) != 0;
    }

    // Of a sum that is not negative.
    T rounded_magnitude() const {
        std::size_t top = digits;
        while (top != 0 && digits_[top - 1] == 0)
            --top;
        if (top == 0)
            return 0;
        const auto bits = static_cast<int>(
            (top - 1) * digit_bits + std::bit_width(static_cast<std::uint64_t>(digits_[top - 1])));
        // The last bit that the result has room for: higher up for a subnormal one.
        const int last = std::max(bits - precision, limits::min_exponent - precision - lowest);
        wide mantissa = 0;
        for (int b = bits - 1; b >= last; --b)
            mantissa = mantissa << 1 | static_cast<unsigned>(bit(b));
        const bool is_odd = (mantissa & 1) != 0;
        if (bit(last - 1) && (is_odd || any_bit_below(last - 1)))
            ++mantissa;
        return std::ldexp(static_cast<T>(mantissa), last + lowest);
    }

    std::int64_t digits_[digits] = {};
};

template <class T>
T wide_sum(std::span<const T *const> terms, std::int64_t at) {
    superaccumulator<T> sum;
    for (const T *const array : terms)
        sum += array[at];
    return sum.value();
}

template <>
long double wide_sum(std::span<const long double *const> terms, std::int64_t at) {
    using T = long double;
    bool is_nan = false;
    bool has_infinity[2] = {false, false}; // +, -
    bool are_finite = true;
    for (const T *const array : terms) {
        const T term = array[at];
        are_finite = are_finite && std::isfinite(term);
        is_nan = is_nan || std::isnan(term);
        if (std::isinf(term))
            has_infinity[std::signbit(term) ? 1 : 0] = true;
    }
    if (is_nan || (has_infinity[0] && has_infinity[1]))
        return std::numeric_limits<T>::quiet_NaN();
    if (!are_finite)
        return has_infinity[0] ? std::numeric_limits<T>::infinity()
                               : -std::numeric_limits<T>::infinity();
    long_sum sum;
    for (const T *const array : terms)
        sum.add(array[at]);
    return sum.rounded();
}

// ---- In two numbers ----

// a + b as a number and the error of that addition, exact unless it overflows: then `error` is no
// number.
template <class T>
struct two_sum {
    two_sum(T a, T b) : sum(a + b) {
        const T b_in_sum = sum - a;
        error = (a - (sum - b_in_sum)) + (b - b_in_sum);
    }
    T sum;
    T error;
};

// So many sums at a time that compilers keep their parts in vector registers or the first cache.
constexpr std::int64_t sums_at_once = 64;

template <class T>
struct partial_sums {
    T high[sums_at_once];
    T low[sums_at_once];  // the errors of `high`
    T rest[sums_at_once]; // not 0 if the two do not hold the sum, or a term is no finite number
};

template <class T>
void add(partial_sums<T> &to, const T *terms, std::int64_t count) {
    for (std::int64_t i = 0; i < count; ++i) {
        const two_sum<T> high(to.high[i], terms[i]);
        const two_sum<T> low(to.low[i], high.error);
        to.high[i] = high.sum;
        to.low[i] = low.sum;
        to.rest[i] += std::fabs(low.error);
    }
}

template <class T>
void sum_block(std::span<const T *const> terms, std::int64_t first, T *sums, std::int64_t count) {
    partial_sums<T> partial;
    for (std::int64_t i = 0; i < count; ++i) {
        const T term = terms[0][first + i];
        partial.high[i] = term;
        partial.low[i] = 0;
        partial.rest[i] = term - term;
    }
    for (const T *const array : terms.subspan(1)) {
        // A number of turns that is known lets compilers use vectors.
        if (count == sums_at_once)
            add(partial, array + first, sums_at_once);
        else
            add(partial, array + first, count);
    }
    for (std::int64_t i = 0; i < count; ++i)
        if (partial.rest[i] != 0) // also if it is no number
            sums[first + i] = wide_sum(terms, first + i);
        else if (partial.low[i] == 0) // adding it would make +0 of -0
            sums[first + i] = partial.high[i];
        else
            sums[first + i] = partial.high[i] + partial.low[i];
}

} // namespace

template <class T>
void sum_exactly(std::span<const T *const> terms, T *sums, std::int64_t count) {
    if (count == 0)
        return;
    const default_arithmetic now;
    for (std::int64_t first = 0; first < count; first += sums_at_once)
        sum_block(terms, first, sums, std::min(sums_at_once, count - first));
}

template void sum_exactly(std::span<const float *const>, float *, std::int64_t);
template void sum_exactly(std::span<const double *const>, double *, std::int64_t);
template void sum_exactly(std::span<const long double *const>, long double *, std::int64_t);

} // namespace saguaro::mpi
