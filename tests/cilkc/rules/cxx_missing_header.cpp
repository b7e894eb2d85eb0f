// SPDX-License-Identifier: MIT
// error: 7:13: 'cilk_spawn' without its header: #include <cilk/cilk.h>
// error: 9:5: 'cilk_sync' without its header: #include <cilk/cilk.h>
int fib(int n) {
    if (n < 2)
        return n;
    int x = cilk_spawn fib(n - 1);
    int y = fib(n - 2);
    cilk_sync;
    return x + y;
}
