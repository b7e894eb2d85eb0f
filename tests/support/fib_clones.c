// SPDX-License-Identifier: MIT
// fib as clones, for tests.
#include "fib_clones.h"

#define fib_by_clones test_fib
#include "clones/fib.h"
