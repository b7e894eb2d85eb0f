// SPDX-License-Identifier: MIT
//
// add-n: what one update of a reducer costs, with n reducers updated in turn (the paper's add-4
// to add-1024). On one worker a lookup is what is measured; on several, how lookups scale.
//
// min_n.hpp builds min-n and max-n of the same parts.
#pragma once

#include "driver/measure.hpp"

#include <algorithm>
#include <cstddef>
#include <memory>

namespace saguaro::bench {

/// How many updates a run makes, all cells together.
inline constexpr long add_n_updates = 20'000'000;

/// How often each of n cells is updated in a run: at least once. n >= 1.
inline long add_n_rounds(long n) {
    return n < add_n_updates ? add_n_updates / n : 1;
}

/// How many updates a run with n cells makes: add_n_updates, rounded down to whole rounds.
inline double add_n_operations(long n) {
    return static_cast<double>(add_n_rounds(n)) * static_cast<double>(n);
}

/// update(cell, k) for each of n cells in turn, in the rounds first .. last-1; k numbers the
/// updates of all rounds from 0. Everything by value: variables that a cell could alias would be
/// read again at each step, and be measured with it.
template <typename cell_type, typename update_type>
void update_in_turn(cell_type *cells, long n, long first, long last, update_type update) {
    long k = first * n;
    for (long round = first; round < last; round++)
        for (long i = 0; i < n; i++)
            update(cells[i], k++);
}

/// The seconds of all rounds in the runtime. With several workers the rounds are cut into a few
/// hundred blocks, each long enough that what a loop's step costs is lost in it.
template <typename runtime, typename cell_type, typename update_type>
double measure_in_turn(cell_type *cells, long n, int workers, update_type update) {
    long rounds = add_n_rounds(n);
    return measure<runtime>(workers, [=] {
        if (workers == 1) {
            update_in_turn(cells, n, 0, rounds, update);
        } else {
            long blocks = std::min(rounds, 256L);
            runtime::for_each(0, blocks, [=](long block) {
                update_in_turn(cells, n, rounds * block / blocks, rounds * (block + 1) / blocks,
                               update);
            });
        }
    });
}

/// The seconds of one addition to each of n cells in turn, again and again, for cells that start
/// at zero; what value(cell) gives at the end is checked.
template <typename runtime, typename cell_type, typename add_type, typename value_type>
double measure_add_n(long n, int workers, add_type add_one, value_type value) {
    auto cells = std::make_unique<cell_type[]>(static_cast<std::size_t>(n));
    double seconds = measure_in_turn<runtime>(cells.get(), n, workers,
                                              [add_one](cell_type &cell, long) { add_one(cell); });
    for (long i = 0; i < n; i++)
        expect_equal(add_n_rounds(n), value(cells[static_cast<std::size_t>(i)]));
    return seconds;
}

} // namespace saguaro::bench
