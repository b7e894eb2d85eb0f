// SPDX-License-Identifier: MIT
// error: 14:13: 'break' out of the body of a cilk_for
// error: 16:13: 'return' out of the body of a cilk_for
// error: 18:13: 'goto' out of the body of a cilk_for
// error: 27:17: 'continue' out of a spawned block
// error: 28:13: 'return' out of a spawned block
#include <cilk/cilk.h>

void g(int n);

int f(int n) {
    cilk_for (int i = 0; i < n; ++i) {
        if (i == 3)
            break;
        if (i == 4)
            return 1;
        if (i == 5)
            goto out;
        for (;;)
            break;
        auto l = [] { return 1; };
        g(l());
    }
    while (n > 0) {
        cilk_spawn {
            if (n == 4)
                continue;
            return 2;
        }
        --n;
    }
out:
    cilk_sync;
    return 0;
}
