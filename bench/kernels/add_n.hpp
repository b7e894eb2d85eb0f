// SPDX-License-Identifier: MIT
//
// add-n: what one update of a reducer costs, with n reducers updated in turn (the paper's add-4
// to add-1024). No parallelism: a lookup is what is measured.
#pragma once

#include "measure.hpp"

#include <cstddef>
#include <memory>

namespace saguaro::bench {

/// How many updates a run makes, all cells together.
inline constexpr long add_n_updates = 100'000'000;

/// How often each of n cells is updated in a run: at least once. n >= 1.
inline long add_n_rounds(long n) {
    return n < add_n_updates ? add_n_updates / n : 1;
}

/// How many updates a run with n cells makes: add_n_updates, rounded down to whole rounds.
inline double add_n_operations(long n) {
    return static_cast<double>(add_n_rounds(n)) * static_cast<double>(n);
}

/// add_one(cell) for each of n cells in turn, again and again. Everything by value: variables that
/// a cell could alias would be read again at each step, and be measured with it.
template <typename cell_type, typename add_type>
void add_in_turn(cell_type *cells, long n, long rounds, add_type add_one) {
    for (long round = 0; round < rounds; round++) {
        for (long i = 0; i < n; i++) {
            add_one(cells[i]);
        }
    }
}

/// The seconds of add_in_turn on one worker of the runtime, for n cells that start at zero; what
/// value(cell) gives at the end is checked.
template <typename runtime, typename cell_type, typename add_type, typename value_type>
double measure_add_n(long n, add_type add_one, value_type value) {
    auto owner = std::make_unique<cell_type[]>(static_cast<std::size_t>(n));
    cell_type *cells = owner.get();
    long rounds = add_n_rounds(n);
    double seconds = measure<runtime>(1, [&] { add_in_turn(cells, n, rounds, add_one); });
    for (long i = 0; i < n; i++) {
        expect_equal(rounds, value(cells[i]));
    }
    return seconds;
}

} // namespace saguaro::bench
