// SPDX-License-Identifier: MIT
//
// The clones of fib.
#include "fib/fib.h"

#define fib_by_clones bench_fib_c
#include "clones/fib.h"
