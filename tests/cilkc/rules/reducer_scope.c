// SPDX-License-Identifier: MIT
// error: 14:10: a reducer is declared in a block, not in the header of a loop
// error: 34:5: a switch jumps into the scope of a reducer
// error: 22:9: goto into the scope of a reducer
// error: 27:9: goto into the scope of a reducer
#include <cilk/cilk.h>

void zero(void *view);
void add(void *left, void *right);

typedef long cilk_reducer(zero, add) total;

long header(int n) {
    for (total t = 0; n > 0; n--) {
        t += n;
    }
    return n;
}

long jumps(int n) {
    if (n == 0) {
        goto end;
    }
again:;
    total t = n;
    if (t > 3) {
        goto again;
    }
end:
    switch (n) {
    case 1:;
        total u = n;
        u++;
    case 2:
        n++;
    }
    return n;
}
