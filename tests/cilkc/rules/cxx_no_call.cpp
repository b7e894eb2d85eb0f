// SPDX-License-Identifier: MIT
// error: 14:16: cilk_spawn needs a call, an assignment or initialization by one, or a block
// error: 15:16: cilk_spawn needs a call, an assignment or initialization by one, or a block
// error: 16:5: cilk_spawn needs a call, an assignment or initialization by one, or a block
// error: 17:20: cilk_spawn needs a call, an assignment or initialization by one, or a block
// error: 18:5: cilk_spawn needs a call, an assignment or initialization by one, or a block
// error: 19:24: cilk_spawn needs a call, an assignment or initialization by one, or a block
#include <cilk/cilk.h>

int g(int n);

int f(int n) {
    int x = 0;
    cilk_spawn x;
    cilk_spawn ++x;
    cilk_spawn x = n;
    x = cilk_spawn n;
    cilk_spawn;
    int y = cilk_spawn 5;
    cilk_sync;
    return x + y;
}
