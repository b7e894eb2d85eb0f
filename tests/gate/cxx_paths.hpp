// SPDX-License-Identifier: MIT
// Paths of C++ programs that cilkc++ translates.
#pragma once

// Spawns, in a frame.
long fib_by_frame(long n);
// Spawns whose continuation is a closure.
long fib_by_cilk_invoke(long n);
// So many updates of Cilk Plus's reducers, eight in turn; their sum. On a worker.
long sum_by_cilk_reducers(long n);
