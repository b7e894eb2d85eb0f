// SPDX-License-Identifier: MIT
#include "grid.hpp"
#include "kernels/add_n.hpp"
#include "kernels/fib.hpp"
#include "kernels/nqueens_base.h"
#include "kernels/reduce_overhead.hpp"
#include "variants/variants.hpp"

namespace saguaro::bench {

namespace {

double iterations(long n) {
    return static_cast<double>(n);
}

} // namespace

const std::vector<kernel> &kernels() {
    static const std::vector<kernel> all = {
        {.name = "fib",
         .meaning = "the n-th Fibonacci number by double recursion, a fork in every call",
         .base = "serial",
         .sizes = {40, 36, 32},
         .greatest_peer_size = 32,
         .least_n = 1,
         .greatest_n = 60,
         .parallel = true,
         .operations = fib_calls},
        {.name = "nqueens",
         .meaning = "all solutions of n queens, a fork for every safe square",
         .base = "serial",
         .sizes = {12},
         .greatest_peer_size = any_size,
         .least_n = 1,
         .greatest_n = BENCH_QUEENS_MAX,
         .parallel = true,
         .operations = nullptr},
        {.name = "cilksort",
         .meaning = "n integers sorted by four-way merge sort with a parallel merge",
         .base = "serial",
         .sizes = {10'000'000},
         .greatest_peer_size = any_size,
         .least_n = 1,
         .greatest_n = 1'000'000'000,
         .parallel = true,
         .operations = nullptr},
        {.name = "matmul",
         .meaning = "the product of two n x n matrices, eight products of quadrants a level",
         .base = "serial",
         .sizes = {1024},
         .greatest_peer_size = any_size,
         .least_n = 1,
         .greatest_n = 4096,
         .parallel = true,
         .operations = nullptr},
        {.name = "strassen",
         .meaning = "the same by Strassen's seven products a level, in Winograd's form",
         .base = "serial",
         .sizes = {1024},
         .greatest_peer_size = any_size,
         .least_n = 1,
         .greatest_n = 4096,
         .parallel = true,
         .operations = nullptr},
        {.name = "heat",
         .meaning = "a hundred steps of Jacobi's iteration on n x n points, rows in halves",
         .base = "serial",
         .sizes = {1024},
         .greatest_peer_size = any_size,
         .least_n = 1,
         .greatest_n = 16384,
         .parallel = true,
         .operations = nullptr},
        {.name = "loop",
         .meaning = "n iterations of one volatile add, grain 1",
         .base = "serial",
         .sizes = {1'000'000'000},
         .greatest_peer_size = any_size,
         .least_n = 1,
         .greatest_n = 1'000'000'000'000,
         .parallel = true,
         .operations = iterations},
        {.name = "add-n",
         .meaning = "20 million additions to n reducers in turn",
         .base = "array",
         .sizes = {4, 16, 64, 256, 1024},
         .greatest_peer_size = any_size,
         .least_n = 1,
         .greatest_n = 65536,
         .parallel = true,
         .operations = add_n_operations},
        {.name = "min-n",
         .meaning = "the least of 20 million random numbers, kept in n reducers in turn",
         .base = "array",
         .sizes = {4, 16, 64, 256, 1024},
         .greatest_peer_size = any_size,
         .least_n = 1,
         .greatest_n = 65536,
         .parallel = true,
         .operations = add_n_operations},
        {.name = "max-n",
         .meaning = "the greatest of 20 million random numbers, kept in n reducers in turn",
         .base = "array",
         .sizes = {4, 16, 64, 256, 1024},
         .greatest_peer_size = any_size,
         .least_n = 1,
         .greatest_n = 65536,
         .parallel = true,
         .operations = add_n_operations},
        {.name = "reduce-overhead",
         .meaning = "what 500 steals cost that each make, hand over and merge views of n reducers",
         .base = "hypermap",
         .sizes = {4, 16, 64, 256, 1024},
         .greatest_peer_size = 0,
         .least_n = 1,
         .greatest_n = 65536,
         .parallel = true,
         .operations = overhead_views},
        {.name = "steal",
         .meaning = "n steals, one at a time: the thief's latency, the victim's loss",
         .base = "latency",
         .sizes = {5000},
         .greatest_peer_size = 0,
         .least_n = 1,
         .greatest_n = 10'000'000,
         .parallel = false,
         .operations = iterations},
        {.name = "wake",
         .meaning = "n wake-ups of a sleeping worker by a spawn",
         .base = "condition-variable",
         .sizes = {1000},
         .greatest_peer_size = 0,
         .least_n = 1,
         .greatest_n = 1'000'000,
         .parallel = false,
         .operations = iterations},
        {.name = "idle",
         .meaning = "processor time of two workers that find nothing for n milliseconds",
         .base = "spinning",
         .sizes = {500},
         .greatest_peer_size = 0,
         .least_n = 1,
         .greatest_n = 1'000'000,
         .parallel = false,
         .operations = iterations},
        {.name = "sum",
         .meaning = "n doubles added up; serial-sum has the serial bits, exact-sum is rounded once",
         .base = "serial",
         .sizes = {10'000'000},
         .greatest_peer_size = 0,
         .least_n = 1,
         .greatest_n = 1'000'000'000,
         .parallel = true,
         .operations = iterations},
        {.name = "pbfs",
         .meaning = "breadth-first search of a grid of n x n x n vertices",
         .base = "serial",
         .sizes = {100},
         .greatest_peer_size = any_size,
         .least_n = 2,
         .greatest_n = 400,
         .parallel = true,
         .operations = nullptr},
    };
    return all;
}

std::vector<variant> built_in_variants() {
    std::vector<variant> all;
    auto append = [&all](std::vector<variant> more) {
        all.insert(all.end(), more.begin(), more.end());
    };
    append(serial_variants());
    append(saguaro_variants());
    append(add_n_variants());
    append(reduce_overhead_variants());
    append(micro_scheduler_variants());
    append(sum_variants());
    append(pbfs_variants());
#if SG_BENCH_TBB
    append(tbb_variants());
#endif
    append(openmp_variants());
    return all;
}

} // namespace saguaro::bench
