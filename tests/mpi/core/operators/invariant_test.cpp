// SPDX-License-Identifier: MIT
// Least and greatest numbers, with and without places: the same in each order of the values.
#include "mpi/core/operators/invariant.hpp"

#include "mpi/core/operators/pairs.hpp"
#include "mpi/datatypes/predefined.hpp"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <vector>

namespace saguaro::mpi {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

// What each order of the values gives; `same` tells whether it is expected.
template <class T, class Same>
void expect_always(op which, datatype type, std::vector<T> values, Same same) {
    std::vector<std::size_t> order(values.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        order[i] = i;
    do {
        std::vector<const void *> given;
        for (const std::size_t i : order)
            given.push_back(&values[i]);
        T result{};
        invariant::combine(which, *find_predefined(type), given, &result, 1);
        EXPECT_TRUE(same(result)) << "first is value " << order[0];
    } while (std::next_permutation(order.begin(), order.end()));
}

void expect_number(op which, std::vector<double> values, double expected) {
    expect_always(which, datatype::double_, std::move(values), [&](double got) {
        return std::isnan(expected)
                   ? std::isnan(got) && !std::signbit(got)
                   : got == expected && std::signbit(got) == std::signbit(expected);
    });
}

using placed = pair<double>;

void expect_place(op which, std::vector<placed> values, placed expected) {
    expect_always(which, datatype::double_int, std::move(values), [&](const placed &got) {
        const bool is_value = std::isnan(expected.value)
                                  ? std::isnan(got.value) && !std::signbit(got.value)
                                  : got.value == expected.value &&
                                        std::signbit(got.value) == std::signbit(expected.value);
        return is_value && got.index == expected.index;
    });
}

TEST(invariant, least_and_greatest_numbers) {
    expect_number(op::min, {3, -7, 5}, -7);
    expect_number(op::max, {3, -7, 5}, 5);
    expect_number(op::min, {0.0, -0.0, 0.0}, -0.0);
    expect_number(op::max, {-0.0, 0.0, -0.0}, 0.0);
    expect_number(op::min, {1, -nan, -2}, nan);
    expect_number(op::max, {1, -nan, 2}, nan);
}

TEST(invariant, places_of_least_and_greatest_numbers) {
    expect_place(op::minloc, {{4, 0}, {-1, 2}, {-1, 1}}, {-1, 1});
    expect_place(op::maxloc, {{4, 3}, {-1, 2}, {4, 1}}, {4, 1});
    expect_place(op::minloc, {{1, 0}, {-nan, 7}, {nan, 5}}, {nan, 5});
    expect_place(op::maxloc, {{1, 0}, {-nan, 7}}, {nan, 7});
    expect_place(op::minloc, {{0.0, 4}, {-0.0, 4}, {0.0, 9}}, {-0.0, 4});
    expect_place(op::maxloc, {{-0.0, 4}, {0.0, 4}, {-0.0, 3}}, {-0.0, 3});
}

} // namespace
} // namespace saguaro::mpi
