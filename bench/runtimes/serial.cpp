// SPDX-License-Identifier: MIT
#include "runtimes/serial.h"

#include "cilksort/cilksort.hpp"
#include "driver/registry.hpp"
#include "fib/fib.hpp"
#include "heat/heat.hpp"
#include "loop/loop.hpp"
#include "matmul/matmul.hpp"
#include "micro/phases/phases.hpp"
#include "nqueens/nqueens.hpp"
#include "strassen/strassen.hpp"

namespace saguaro::bench {

namespace {

void loop_serial(long n) {
    for (long i = 0; i < n; i++) {
        loop_body(i);
    }
}

variant serial(const char *bench, double (*run)(long, int), const char *name = "serial") {
    return {.bench = bench, .name = name, .parallel = false, .greatest_size = any_size, .run = run};
}

} // namespace

std::vector<variant> serial_variants() {
    return {
        serial("fib",
               [](long n, int workers) {
                   return measure_fib<no_runtime>(n, workers, bench_fib_serial);
               }),
        serial(
            "fib",
            [](long n, int workers) {
                return measure_fib<no_runtime>(n, workers, bench_fib_inlined);
            },
            "serial-inlined"),
        serial("nqueens",
               [](long n, int workers) {
                   return measure_nqueens<no_runtime>(n, workers, bench_nqueens_serial);
               }),
        serial("cilksort",
               [](long n, int workers) {
                   return measure_cilksort<no_runtime>(n, workers, bench_cilksort_serial);
               }),
        serial("matmul",
               [](long n, int workers) {
                   return measure_product<no_runtime>(n, workers, bench_matmul_serial);
               }),
        serial("strassen",
               [](long n, int workers) {
                   return measure_product<no_runtime>(n, workers, bench_strassen_serial);
               }),
        serial("heat",
               [](long n, int workers) {
                   return measure_heat<no_runtime>(n, workers, bench_heat_serial);
               }),
        serial(
            "loop",
            [](long n, int workers) { return measure_loop<no_runtime>(n, workers, loop_serial); }),
        serial("phases",
               [](long n, int workers) {
                   return measure_phases<no_runtime>(n, workers, leaves_in_turn);
               }),
    };
}

} // namespace saguaro::bench
