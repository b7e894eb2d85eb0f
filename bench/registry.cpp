// SPDX-License-Identifier: MIT
#include "grid.hpp"
#include "kernels/add_n.hpp"
#include "kernels/fib.hpp"
#include "kernels/nqueens_base.h"
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
         .meaning = "100 million additions to n reducers in turn, on one worker",
         .base = "array",
         .sizes = {4, 16, 64, 256, 1024},
         .greatest_peer_size = any_size,
         .least_n = 1,
         .greatest_n = 65536,
         .parallel = false,
         .operations = add_n_operations},
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
    append(pbfs_variants());
#if SG_BENCH_TBB
    append(tbb_variants());
#endif
    append(openmp_variants());
    return all;
}

} // namespace saguaro::bench
