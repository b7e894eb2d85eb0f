// SPDX-License-Identifier: MIT
//
// sum: n doubles of both signs and many sizes, added up. The plain loop is the base; the others pay
// for one answer, whoever steals what.
#pragma once

#include "driver/measure.hpp"

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace saguaro::bench {

/// The same n addends on every machine: 53 random bits at one of 32 exponents.
inline std::vector<double> sum_addends(long n) {
    std::vector<double> addends(static_cast<std::size_t>(n));
    std::uint64_t state = 1;
    for (double &x : addends) {
        // Knuth's MMIX generator; its low bits are poor, so the high ones are taken.
        state = state * 6364136223846793005u + 1442695040888963407u;
        const auto significand = static_cast<double>(static_cast<std::int64_t>(state) >> 11);
        x = std::ldexp(significand, -static_cast<int>(state >> 59 ^ (state >> 33 & 31)));
    }
    return addends;
}

/// What the base computes: rounded after each addition, from left to right.
inline double sum_serially(const std::vector<double> &addends) {
    double sum = 0;
    for (double x : addends)
        sum += x;
    return sum;
}

/// Throws wrong_answer unless the two have the same bits.
inline void expect_same_bits(double expected, double got) {
    expect_equal(std::bit_cast<long>(expected), std::bit_cast<long>(got));
}

/// The seconds that compute(addends) -> double takes inside the runtime; check(addends, sum) throws
/// if the sum is wrong.
template <typename runtime, typename compute_type, typename check_type>
double measure_sum(long n, int workers, compute_type compute, check_type check) {
    const std::vector<double> addends = sum_addends(n);
    double sum = 0;
    double seconds = measure<runtime>(workers, [&] { sum = compute(addends); });
    check(addends, sum);
    return seconds;
}

} // namespace saguaro::bench
