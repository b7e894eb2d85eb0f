// SPDX-License-Identifier: MIT
#include "driver/registry.hpp"
#include "driver/alone.hpp"
#include "driver/ceiling.hpp"
#include "driver/grid.hpp"
#include "fib/fib.hpp"
#include "micro/lookups/add_n.hpp"
#include "micro/lookups/reduce_overhead.hpp"
#include "micro/phases/phases.hpp"
#include "nqueens/nqueens.h"

#include <algorithm>

namespace saguaro::bench {

namespace {

double iterations(long n) {
    return static_cast<double>(n);
}

double phases(long) {
    return phases_in_a_run;
}

} // namespace

const std::vector<kernel> &kernels() {
    static const std::vector<kernel> all = {
        {.name = "fib",
         .meaning = "the n-th Fibonacci number by double recursion, a fork in every call",
         .base = "serial",
         .sizes = {40, 36, 32},
         .greatest_peer_size = 32,
         .greatest_n = 60,
         .operations = fib_calls},
        {.name = "nqueens",
         .meaning = "all solutions of n queens, a fork for every safe square",
         .base = "serial",
         .sizes = {12},
         .greatest_n = BENCH_QUEENS_MAX},
        {.name = "cilksort",
         .meaning = "n integers sorted by four-way merge sort with a parallel merge",
         .base = "serial",
         .sizes = {10'000'000},
         .greatest_n = 1'000'000'000},
        {.name = "matmul",
         .meaning = "the product of two n x n matrices, eight products of quadrants a level",
         .base = "serial",
         .sizes = {1024},
         .greatest_n = 4096},
        {.name = "strassen",
         .meaning = "the same by Strassen's seven products a level, in Winograd's form",
         .base = "serial",
         .sizes = {1024},
         .greatest_n = 4096},
        {.name = "heat",
         .meaning = "a hundred steps of Jacobi's iteration on n x n points, rows in halves",
         .base = "serial",
         .sizes = {1024},
         .greatest_n = 16384},
        {.name = "rectmul",
         .meaning = "the product of an n x 700 and a 700 x 1300 matrix, the longest side in halves",
         .base = "cilkc-serial",
         .sizes = {1100},
         .greatest_n = 16384},
        {.name = "fft",
         .meaning = "the Fourier transform of n complex numbers, a power of two",
         .base = "cilkc-serial",
         .sizes = {1'048'576},
         .greatest_n = 268'435'456},
        {.name = "lu",
         .meaning = "the factors of an n x n matrix, quadrants in turn, without pivots",
         .base = "cilkc-serial",
         .sizes = {1024},
         .greatest_n = 16384},
        {.name = "cholesky",
         .meaning = "the sparse Cholesky factor of Poisson's matrix on n x n points, multifrontal",
         .base = "cilkc-serial",
         .sizes = {300},
         .greatest_n = 4000},
        {.name = "knapsack",
         .meaning = "the best of n things to carry, branch and bound",
         .base = "cilkc-serial",
         .sizes = {40},
         .greatest_n = 64},
        {.name = "queens",
         .meaning = "the first way to place n queens that is found; the other searches are aborted",
         .base = "cilkc-serial",
         .sizes = {28},
         .least_n = 4,
         .greatest_n = 32},
        {.name = "connect4",
         .meaning = "Connect Four n moves ahead: alpha-beta search, inlets and abort",
         .base = "cilkc-serial",
         .sizes = {13},
         .greatest_n = 42},
        {.name = "words",
         .meaning = "the palindromes of a text of n letters, in order, by a list reducer",
         .base = "cilkc-serial",
         .sizes = {20'000'000},
         .greatest_n = 1'000'000'000},
        {.name = "loop",
         .meaning = "n iterations of one volatile add, grain 1",
         .base = "serial",
         .sizes = {1'000'000'000},
         .greatest_n = 1'000'000'000'000,
         .operations = iterations},
        {.name = "phases",
         .meaning = "short parallel phases of n leaves of 1 us, with serial work between them",
         .base = "serial",
         .sizes = {16, 64, 256},
         .greatest_n = 1'000'000,
         .operations = phases},
        {.name = "add-n",
         .meaning = "20 million additions to n reducers in turn",
         .base = "array",
         .sizes = {4, 16, 64, 256, 1024},
         .greatest_n = 65536,
         .operations = add_n_operations},
        {.name = "min-n",
         .meaning = "the least of 20 million random numbers, kept in n reducers in turn",
         .base = "array",
         .sizes = {4, 16, 64, 256, 1024},
         .greatest_n = 65536,
         .operations = add_n_operations},
        {.name = "max-n",
         .meaning = "the greatest of 20 million random numbers, kept in n reducers in turn",
         .base = "array",
         .sizes = {4, 16, 64, 256, 1024},
         .greatest_n = 65536,
         .operations = add_n_operations},
        {.name = "reduce-overhead",
         .meaning = "what 500 steals cost that each make, hand over and merge views of n reducers",
         .base = "hypermap",
         .sizes = {4, 16, 64, 256, 1024},
         .greatest_peer_size = 0,
         .greatest_n = 65536,
         .operations = overhead_views},
        {.name = "steal",
         .meaning = "n steals, one at a time: the thief's latency, the victim's loss",
         .base = "latency",
         .sizes = {5000},
         .greatest_peer_size = 0,
         .greatest_n = 10'000'000,
         .parallel = false,
         .operations = iterations},
        {.name = "wake",
         .meaning = "n wake-ups of a sleeping worker by a spawn",
         .base = "condition-variable",
         .sizes = {1000},
         .greatest_peer_size = 0,
         .greatest_n = 1'000'000,
         .parallel = false,
         .operations = iterations},
        {.name = "entry",
         .meaning = "n calls into the runtime from threads that are not its own",
         .base = "saguaro-empty",
         .sizes = {20'000},
         .greatest_n = 1'000'000'000,
         .operations = iterations},
        {.name = "idle",
         .meaning = "processor time of two workers that find nothing for n milliseconds",
         .base = "spinning",
         .sizes = {500},
         .greatest_peer_size = 0,
         .greatest_n = 1'000'000,
         .parallel = false,
         .operations = iterations},
        {.name = "crowd",
         .meaning = "n workers on the cores there are: idle, woken all at once, started, stopped",
         .base = "saguaro",
         .sizes = {4, 16, 64, 256, 1024},
         .greatest_peer_size = 0,
         .greatest_n = 4096,
         .parallel = false},
        {.name = "switch",
         .meaning = "n times from one flow to another, on one thread",
         .base = "saguaro",
         .sizes = {10'000'000},
         .greatest_peer_size = 0,
         .least_n = 2,
         .greatest_n = 1'000'000'000'000,
         .parallel = false,
         .operations = iterations},
        {.name = "vms",
         .meaning = "n virtual processors scheduled by the Master; parts: cycles for each",
         .base = "master",
         .sizes = {1'000'000},
         .greatest_peer_size = 0,
         .greatest_n = 1'000'000'000,
         .parallel = false,
         .operations = iterations},
        {.name = "empty",
         .meaning = "n threads that do nothing, created by one that then waits for them",
         .base = "saguaro-dsr",
         .sizes = {1'000'000},
         .greatest_n = 100'000'000,
         .operations = iterations},
        {.name = "sum",
         .meaning = "n doubles added up; serial-sum has the serial bits, exact-sum is rounded once",
         .base = "serial",
         .sizes = {10'000'000},
         .greatest_peer_size = 0,
         .greatest_n = 1'000'000'000,
         .operations = iterations},
        {.name = "vthread-cond",
         .meaning = "n round trips of two threads that wake each other by condition variables",
         .base = "pthread",
         .sizes = {10'000},
         .greatest_peer_size = 0,
         .least_n = 100,
         .greatest_n = 10'000'000,
         .operations = iterations},
        {.name = "vthread-mutex",
         .meaning = "n locks of a mutex that have to wait for the other of two threads",
         .base = "pthread",
         .sizes = {5000},
         .greatest_peer_size = 0,
         .least_n = 1000,
         .greatest_n = 10'000'000,
         .operations = iterations},
        {.name = "vms-matmul",
         .meaning = "the product of two n x n matrices by quadrants, blocks of up to 64 x 64",
         .base = "serial",
         .sizes = {81, 324, 648, 1296},
         .greatest_peer_size = 0,
         .greatest_n = 16384},
        {.name = "pbfs",
         .meaning = "breadth-first search of a grid of n x n x n vertices",
         .base = "serial",
         .sizes = {100},
         .least_n = 2,
         .greatest_n = 400},
        {.name = "pbfs-rmat",
         .meaning = "the same of a scale-free graph of 2^n vertices",
         .base = "serial",
         .sizes = {18},
         .greatest_n = 26},
    };
    return all;
}

namespace {

/// All variants, as they run in this process.
std::vector<variant> plain_variants() {
    std::vector<variant> all;
    auto append = [&all](std::vector<variant> more) {
        all.insert(all.end(), more.begin(), more.end());
    };
    append(serial_variants());
    append(saguaro_variants());
    append(add_n_variants());
    append(reduce_overhead_variants());
    append(micro_scheduler_variants());
    append(entry_variants());
    append(switch_variants());
    append(vms_variants());
    append(sum_variants());
    append(vthread_variants());
    append(vcilk_variants());
    append(pbfs_variants());
#if SG_BENCH_TBB
    append(tbb_variants());
    append(tbb_entry_variants());
#endif
    append(openmp_variants());
    append(cilkc_variants());
    append(empty_variants());
#if SG_BENCH_TBB
    append(tbb_empty_variants());
#endif
    return all;
}

/// Whether the variant is the serial version to which its kernel's parallel ones are compared, in C
/// or in Cilk. Other bases have workers, of which a process has one set.
bool is_serial_base(const variant &one) {
    const bool is_serial = one.name == "serial" || one.name == "cilkc-serial";
    return is_serial && std::ranges::any_of(kernels(), [&](const kernel &bench) {
               return bench.name == one.bench && bench.base == one.name;
           });
}

} // namespace

std::vector<variant> built_in_variants() {
    std::vector<variant> all;
    for (const variant &one : plain_variants()) {
        all.push_back(one.alone ? in_own_process(one) : one);
        if (is_serial_base(one)) {
            all.push_back(ceiling_of(one));
        }
    }
    return all;
}

std::vector<variant> lone_variants() {
    std::vector<variant> all = plain_variants();
    std::erase_if(all, [](const variant &one) { return !one.alone; });
    return all;
}

} // namespace saguaro::bench
