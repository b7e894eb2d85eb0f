// SPDX-License-Identifier: MIT
// The sum of many numbers by each reducer for sums, and checks of its bits.
#include "sum/sum.hpp"

#include "driver/registry.hpp"
#include "runtimes/saguaro.hpp"

#include <cmath>

namespace saguaro::bench {

namespace {

double sum_exactly(const std::vector<double> &addends) {
    superaccumulator<double> sum;
    for (double x : addends)
        sum += x;
    return sum.value();
}

void expect_serial_bits(const std::vector<double> &addends, double sum) {
    expect_same_bits(sum_serially(addends), sum);
}

void expect_exact_bits(const std::vector<double> &addends, double sum) {
    expect_same_bits(sum_exactly(addends), sum);
}

/// What rounding in any order allows, and far less than one addend that was lost.
void expect_about(const std::vector<double> &addends, double sum) {
    double sizes = 0;
    for (double x : addends)
        sizes += std::fabs(x);
    double exact = sum_exactly(addends);
    if (!(std::fabs(sum - exact) <= sizes * 1e-12)) {
        throw wrong_answer("the sum is " + std::to_string(sum) + ", not about " +
                           std::to_string(exact));
    }
}

template <typename monoid_type>
double sum_with_reducer(const std::vector<double> &addends) {
    reducer<monoid_type> total;
    parallel_for(addends.begin(), addends.end(), [&total](double x) { *total += x; });
    return total.get();
}

} // namespace

registry_entry sum_bench() {
    const kernel problem = {
        .name = "sum",
        .meaning = "n doubles added up; serial-sum has the serial bits, exact-sum is rounded once",
        .base = "serial",
        .sizes = {10'000'000},
        .greatest_peer_size = 0,
        .greatest_n = 1'000'000'000,
        .operations = n_operations};
    using rt = saguaro_runtime;
    const std::vector<variant> variants = {
        fixed("serial",
              [](long n, int workers) {
                  return measure_sum<no_runtime>(n, workers, sum_serially, expect_serial_bits);
              }),
        fixed("exact",
              [](long n, int workers) {
                  return measure_sum<no_runtime>(n, workers, sum_exactly, expect_exact_bits);
              }),
        parallel("saguaro-add",
                 [](long n, int workers) {
                     return measure_sum<rt>(n, workers, sum_with_reducer<add<double>>,
                                            expect_about);
                 }),
        parallel("saguaro-serial-sum",
                 [](long n, int workers) {
                     return measure_sum<rt>(n, workers, sum_with_reducer<serial_sum<double>>,
                                            expect_serial_bits);
                 }),
        parallel("saguaro-exact-sum",
                 [](long n, int workers) {
                     return measure_sum<rt>(n, workers, sum_with_reducer<exact_sum<double>>,
                                            expect_exact_bits);
                 }),
    };
    return entry_of(problem, {variants});
}

} // namespace saguaro::bench
