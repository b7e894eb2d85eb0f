// SPDX-License-Identifier: MIT
#include "sum/sum.hpp"

#include "driver/registry.hpp"
#include "runtimes/saguaro.hpp"

#include <cmath>

namespace saguaro::bench {

namespace {

double sum_exactly(const std::vector<double> &addends) {
    superaccumulator<double> sum;
    for (double x : addends) {
        sum += x;
    }
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
    for (double x : addends) {
        sizes += std::fabs(x);
    }
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

variant sum(const char *name, bool parallel, double (*run)(long, int)) {
    return {
        .bench = "sum", .name = name, .parallel = parallel, .greatest_size = any_size, .run = run};
}

} // namespace

std::vector<variant> sum_variants() {
    using rt = saguaro_runtime;
    return {
        sum("serial", false,
            [](long n, int workers) {
                return measure_sum<no_runtime>(n, workers, sum_serially, expect_serial_bits);
            }),
        sum("exact", false,
            [](long n, int workers) {
                return measure_sum<no_runtime>(n, workers, sum_exactly, expect_exact_bits);
            }),
        sum("saguaro-add", true,
            [](long n, int workers) {
                return measure_sum<rt>(n, workers, sum_with_reducer<add<double>>, expect_about);
            }),
        sum("saguaro-serial-sum", true,
            [](long n, int workers) {
                return measure_sum<rt>(n, workers, sum_with_reducer<serial_sum<double>>,
                                       expect_serial_bits);
            }),
        sum("saguaro-exact-sum", true,
            [](long n, int workers) {
                return measure_sum<rt>(n, workers, sum_with_reducer<exact_sum<double>>,
                                       expect_exact_bits);
            }),
    };
}

} // namespace saguaro::bench
