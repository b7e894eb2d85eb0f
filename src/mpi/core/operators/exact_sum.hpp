// SPDX-License-Identifier: MIT
// Sums of floating numbers that are computed exactly and rounded once, so they depend neither on
// the order of the terms nor on which of them were exact sums of others.
#pragma once

#include <cfenv>
#include <cstdint>
#include <span>

namespace saguaro::mpi {

// Rounding to nearest, no flushing of subnormal numbers, no traps; and back.
class default_arithmetic {
public:
    default_arithmetic() {
        std::fegetenv(&kept_);
        std::fesetenv(FE_DFL_ENV);
    }
    ~default_arithmetic() { std::fesetenv(&kept_); }
    default_arithmetic(const default_arithmetic &) = delete;
    default_arithmetic &operator=(const default_arithmetic &) = delete;

private:
    std::fenv_t kept_;
};

// sums[i] = terms[0][i] + terms[1][i] + ..., rounded to nearest, ties to even, whatever the
// program's rounding mode. There is one array of terms at least and 2^31 at most, each of `count`
// numbers; `sums` may be one of them. T is float, double or long double.
//
// - What lies between may exceed T's range: the greatest number + itself - itself is that number.
// - A NaN, or infinities of both signs, give the positive quiet NaN without a payload.
// - A sum that is 0 is -0 if all terms are -0, otherwise +0.
//
// The program's floating-point flags and modes stay as they are. A term costs some 12 additions;
// where the terms of a sum span more than about twice the digits of T, some hundred times that.
template <class T>
void sum_exactly(std::span<const T *const> terms, T *sums, std::int64_t count);

} // namespace saguaro::mpi
