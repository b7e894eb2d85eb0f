// SPDX-License-Identifier: MIT
//
// min-n and max-n: the extremum of numbers drawn at random, accumulated in n reducers in turn (the
// paper's min-4 to max-1024). An update compares, and hardly ever writes.
#pragma once

#include "micro/lookups/add_n.hpp"

#include <cstdint>
#include <limits>
#include <vector>

namespace saguaro::bench {

/// The k-th number: spread evenly over the positive longs, a multiplication that depends on
/// nothing before it, so that the chain of random numbers is not what is measured.
inline long random_value(long k) {
    return static_cast<long>((static_cast<std::uint64_t>(k) * 0x9e3779b97f4a7c15U) >> 1);
}

struct minimum {
    static constexpr long identity = std::numeric_limits<long>::max();
    static bool better(long candidate, long best) { return candidate < best; }
};

struct maximum {
    static constexpr long identity = std::numeric_limits<long>::lowest();
    static bool better(long candidate, long best) { return best < candidate; }
};

/// view = the better of the two.
template <typename extremum, typename view_type>
void improve(view_type &view, long candidate) {
    if (extremum::better(candidate, view))
        view = candidate;
}

/// What n cells hold at the end, computed once for each n in a row.
template <typename extremum>
const std::vector<long> &expected_extrema(long n) {
    static std::vector<long> expected;
    if (expected.size() != static_cast<std::size_t>(n)) {
        expected.assign(static_cast<std::size_t>(n), extremum::identity);
        update_in_turn(expected.data(), n, 0, add_n_rounds(n),
                       [](long &cell, long k) { improve<extremum>(cell, random_value(k)); });
    }
    return expected;
}

/// The seconds of all updates of n cells that start as the identity; what value(cell) gives at
/// the end is checked.
template <typename runtime, typename extremum, typename cell_type, typename update_type,
          typename value_type>
double measure_extremum_n(long n, int workers, update_type update, value_type value) {
    auto cells = std::make_unique<cell_type[]>(static_cast<std::size_t>(n));
    double seconds =
        measure_in_turn<runtime>(cells.get(), n, workers, [update](cell_type &cell, long k) {
            update(cell, random_value(k));
        });
    const std::vector<long> &expected = expected_extrema<extremum>(n);
    for (std::size_t i = 0; i < expected.size(); i++)
        expect_equal(expected[i], value(cells[i]));
    return seconds;
}

} // namespace saguaro::bench
