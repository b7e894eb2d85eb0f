// SPDX-License-Identifier: MIT
// Exact sums, and least and greatest values that are independent of the number of ranks.
#include "mpi/core/operators/invariant.hpp"

#include "mpi/core/operators/exact_sum.hpp"
#include "mpi/core/operators/pairs.hpp"
#include "mpi/core/reports/diagnostics.hpp"
#include "mpi/datatypes/predefined.hpp"
#include "mpi/variables.hpp"
#include "platform/settings.hpp"

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <vector>

namespace saguaro::mpi::invariant {

namespace {

bool is_on = false;

// `of`: how many numbers an element is, 2 if it is complex.
template <class T>
void sum(std::span<const void *const> values, void *result, std::int64_t count, int of = 1) {
    std::vector<const T *> terms;
    for (const void *const value : values)
        terms.push_back(static_cast<const T *>(value));
    sum_exactly<T>(terms, static_cast<T *>(result), count * of);
}

// The first of all values by is_first(a, b), which is the same for each order of the values. They
// are read before the result is written, which may be one of them. Where subnormal numbers are
// flushed to zero they would be equal to zeros.
template <class T, class Is>
void choose(std::span<const void *const> values, void *result, std::int64_t count, Is is_first) {
    if (count == 0)
        return;
    const default_arithmetic now;
    for (std::int64_t i = 0; i < count; ++i) {
        T chosen = static_cast<const T *>(values[0])[i];
        for (const void *const value : values.subspan(1)) {
            const T &other = static_cast<const T *>(value)[i];
            if (is_first(other, chosen))
                chosen = other;
        }
        static_cast<T *>(result)[i] = chosen;
    }
}

// The order of numbers, -0 before +0. A NaN is before all others, for the least as for the
// greatest.
template <class T>
bool is_before(op which, T a, T b) {
    if (std::isnan(a) || std::isnan(b))
        return std::isnan(a) && !std::isnan(b);
    const bool is_least = which == op::min || which == op::minloc;
    if (a == b)
        return std::signbit(is_least ? a : b) && !std::signbit(is_least ? b : a);
    return is_least ? a < b : b < a;
}

// NaNs have many bits.
template <class T>
void make_one_nan(T &number) {
    if (std::isnan(number))
        number = std::numeric_limits<T>::quiet_NaN();
}

template <class T>
void choose_number(op which, std::span<const void *const> values, void *result,
                   std::int64_t count) {
    choose<T>(values, result, count, [which](T a, T b) { return is_before(which, a, b); });
    auto *const chosen = static_cast<T *>(result);
    for (std::int64_t i = 0; i < count; ++i)
        make_one_nan(chosen[i]);
}

// Of equal values, which zeros of both signs are and NaNs, the least place; of one place the first
// zero.
template <class Pair>
void choose_place(op which, std::span<const void *const> values, void *result, std::int64_t count) {
    choose<Pair>(values, result, count, [which](const Pair &a, const Pair &b) {
        const bool are_equal = a.value == b.value || (std::isnan(a.value) && std::isnan(b.value));
        return are_equal && a.index != b.index ? a.index < b.index
                                               : is_before(which, a.value, b.value);
    });
    auto *const chosen = static_cast<Pair *>(result);
    for (std::int64_t i = 0; i < count; ++i)
        make_one_nan(chosen[i].value);
}

bool is_choice(op which) {
    return which == op::min || which == op::max;
}
bool is_choice_of_place(op which) {
    return which == op::minloc || which == op::maxloc;
}

template <class T>
bool combine_numbers(op which, std::span<const void *const> values, void *result,
                     std::int64_t count) {
    if (which == op::sum)
        sum<T>(values, result, count);
    else if (is_choice(which))
        choose_number<T>(which, values, result, count);
    else
        return false;
    return true;
}

template <class T>
bool combine_complex(op which, std::span<const void *const> values, void *result,
                     std::int64_t count) {
    if (which != op::sum)
        return false;
    sum<T>(values, result, count, 2);
    return true;
}

template <class Pair>
bool combine_places(op which, std::span<const void *const> values, void *result,
                    std::int64_t count) {
    if (!is_choice_of_place(which))
        return false;
    choose_place<Pair>(which, values, result, count);
    return true;
}

// False if the operator has no definition of this kind for the type.
bool combine_any(op which, const predefined_type &type, std::span<const void *const> values,
                 void *result, std::int64_t count) {
    switch (type.kind) {
    case basic_kind::float32:
        return combine_numbers<float>(which, values, result, count);
    case basic_kind::float64:
        return combine_numbers<double>(which, values, result, count);
    case basic_kind::long_double:
        return combine_numbers<long double>(which, values, result, count);
    case basic_kind::complex32:
        return combine_complex<float>(which, values, result, count);
    case basic_kind::complex64:
        return combine_complex<double>(which, values, result, count);
    case basic_kind::complex_long_double:
        return combine_complex<long double>(which, values, result, count);
    case basic_kind::float_int:
        return combine_places<pair<float>>(which, values, result, count);
    case basic_kind::double_int:
        return combine_places<pair<double>>(which, values, result, count);
    case basic_kind::long_double_int:
        return combine_places<pair<long double>>(which, values, result, count);
    case basic_kind::float_float:
        return combine_places<equal_pair<float>>(which, values, result, count);
    case basic_kind::double_double:
        return combine_places<equal_pair<double>>(which, values, result, count);
    default:
        return false;
    }
}

} // namespace

void begin() {
    const char *const told = platform::value_of(variables::reduce);
    if (told == nullptr || std::strcmp(told, "ordered") == 0)
        return;
    if (std::strcmp(told, "invariant") != 0)
        fail("%s=%s: it is ordered or invariant", variables::reduce.name, told);
    is_on = true;
}

bool defines(op which, const predefined_type &type) {
    return is_on && combine_any(which, type, {}, nullptr, 0);
}

void combine(op which, const predefined_type &type, std::span<const void *const> values,
             void *result, std::int64_t count) {
    combine_any(which, type, values, result, count);
}

} // namespace saguaro::mpi::invariant
