// SPDX-License-Identifier: MIT
// One half of a mutual recursion whose functions stand in two files.
#include "callers.h"

#include <cilk/cilk.h>

int even_steps(int n) {
    if (n <= 0) {
        return 1;
    }
    int x = cilk_spawn odd_steps(n - 2);
    int y = odd_steps(n - 1);
    cilk_sync;
    return x + y;
}
