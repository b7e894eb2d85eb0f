// SPDX-License-Identifier: MIT
//
// The kernels that only programs of examples/cilk solve so far: each has the name of its program.
// One that another runtime solves as well gets a folder of its own, as knapsack has.
#include "driver/registry.hpp"
#include "runtimes/programs.hpp"

namespace saguaro::bench {

namespace {

registry_entry in_cilk(const kernel &problem) {
    return entry_of(problem, {cilkc_programs(problem)});
}

} // namespace

registry_entry rectmul_bench() {
    return in_cilk(
        {.name = "rectmul",
         .meaning = "the product of an n x 700 and a 700 x 1300 matrix, the longest side in halves",
         .base = "cilkc-serial",
         .sizes = {1100},
         .greatest_n = 16384});
}

registry_entry fft_bench() {
    return in_cilk({.name = "fft",
                    .meaning = "the Fourier transform of n complex numbers, a power of two",
                    .base = "cilkc-serial",
                    .sizes = {1'048'576},
                    .greatest_n = 268'435'456});
}

registry_entry lu_bench() {
    return in_cilk({.name = "lu",
                    .meaning = "the factors of an n x n matrix, quadrants in turn, without pivots",
                    .base = "cilkc-serial",
                    .sizes = {1024},
                    .greatest_n = 16384});
}

registry_entry cholesky_bench() {
    return in_cilk(
        {.name = "cholesky",
         .meaning = "the sparse Cholesky factor of Poisson's matrix on n x n points, multifrontal",
         .base = "cilkc-serial",
         .sizes = {300},
         .greatest_n = 4000});
}

registry_entry queens_bench() {
    return in_cilk(
        {.name = "queens",
         .meaning = "the first way to place n queens that is found; the other searches are aborted",
         .base = "cilkc-serial",
         .sizes = {28},
         .least_n = 4,
         .greatest_n = 32});
}

registry_entry connect4_bench() {
    return in_cilk({.name = "connect4",
                    .meaning = "Connect Four n moves ahead: alpha-beta search, inlets and abort",
                    .base = "cilkc-serial",
                    .sizes = {13},
                    .greatest_n = 42});
}

registry_entry words_bench() {
    return in_cilk(
        {.name = "words",
         .meaning = "the palindromes of a text of n letters, in order, by a list reducer",
         .base = "cilkc-serial",
         .sizes = {20'000'000},
         .greatest_n = 1'000'000'000});
}

} // namespace saguaro::bench
