// SPDX-License-Identifier: MIT
//
// heat: Jacobi's iteration on a square, by divide and conquer over its rows, a join for each step.
// The memory is what it waits for.
#pragma once

#include "driver/measure.hpp"
#include "heat/heat.h"

#include <cmath>
#include <cstddef>
#include <numbers>
#include <string>
#include <vector>

namespace saguaro::bench {

/// Rows first .. last-1 of `to`, a step behind `from`.
template <typename runtime>
void heat_step(double *to, const double *from, long n, long first, long last) {
    if (last - first <= BENCH_HEAT_ROWS) {
        bench_heat_rows(to, from, n, first, last);
        return;
    }
    long middle = first + (last - first) / 2;
    runtime::invoke([=] { heat_step<runtime>(to, from, n, first, middle); },
                    [=] { heat_step<runtime>(to, from, n, middle, last); });
}

/// BENCH_HEAT_STEPS steps of `grid`; `other` is as large, and its border is zeros too.
template <typename runtime>
void heat(double *grid, double *other, long n) {
    for (int i = 0; i < BENCH_HEAT_STEPS; i += 2) {
        heat_step<runtime>(other, grid, n, 1, n + 1);
        heat_step<runtime>(grid, other, n, 1, n + 1);
    }
}

/// A wave with so many halves across n points: element 0 and element n + 1 are zero.
inline std::vector<double> heat_wave(long n, int halves) {
    std::vector<double> wave(static_cast<std::size_t>(n + 2));
    for (long i = 1; i <= n; i++) {
        wave[static_cast<std::size_t>(i)] = std::sin(
            halves * std::numbers::pi * static_cast<double>(i) / static_cast<double>(n + 1));
    }
    return wave;
}

/// The seconds that compute(grid, other, n) takes inside the runtime. The grid starts as a product
/// of two waves. Each step takes from it the same share of itself everywhere, which is known: what
/// the grid must be in the end is not computed by stepping.
template <typename runtime>
double measure_heat(long n, int workers, void (*compute)(double *, double *, long)) {
    constexpr int halves_down = 5;
    constexpr int halves_across = 3;
    const std::vector<double> down = heat_wave(n, halves_down);
    const std::vector<double> across = heat_wave(n, halves_across);
    const std::size_t width = across.size();
    std::vector<double> grid(width * width);
    for (std::size_t i = 0; i < grid.size(); i++)
        grid[i] = down[i / width] * across[i % width];
    std::vector<double> other(grid.size());
    double seconds = measure<runtime>(workers, [&] { compute(grid.data(), other.data(), n); });

    auto loss = [n](int halves) {
        double root = std::sin(halves * std::numbers::pi / (2.0 * static_cast<double>(n + 1)));
        return 4 * BENCH_HEAT_SHARE * root * root;
    };
    const double left = std::pow(1 - loss(halves_down) - loss(halves_across), BENCH_HEAT_STEPS);
    // Far more than the rounding of all steps, far less than what one step of one point changes.
    constexpr double tolerance = 1e-11;
    for (std::size_t i = 0; i < grid.size(); i++) {
        if (!(std::abs(grid[i] - left * down[i / width] * across[i % width]) <= tolerance)) {
            throw wrong_answer("point " + std::to_string(i / width) + ", " +
                               std::to_string(i % width) + " has the wrong temperature");
        }
    }
    return seconds;
}

// The variants, by file. Each solves the problem once, checks the answer and returns the seconds.

double heat_saguaro_c(long n, int workers);      // clones.c, measured in saguaro.cpp
double heat_saguaro_invoke(long n, int workers); // saguaro.cpp
double heat_tbb(long n, int workers);            // tbb.cpp
double heat_openmp(long n, int workers);         // openmp.cpp, in a program of its own
double heat_lace(long n, int workers);           // lace.cpp, in a program of its own

} // namespace saguaro::bench
