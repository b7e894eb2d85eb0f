// SPDX-License-Identifier: MIT
//
// The clones of n-queens, with the test of a board that all its forms share.
#include "nqueens/nqueens.h"

#define QUEENS_MAX BENCH_QUEENS_MAX
#define queens_are_safe bench_queens_safe
#define nqueens_by_clones bench_nqueens_c
#include "clones/nqueens.h"
