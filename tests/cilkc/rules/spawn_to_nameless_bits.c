// SPDX-License-Identifier: MIT
// error: 13:5: the result of a spawn cannot go to a bit-field of a struct or union that has no name
#include <cilk/cilk.h>

static struct {
    unsigned low : 3;
} bits;

unsigned f(unsigned n);
void g(void);

void g(void) {
    bits.low = cilk_spawn f(1);
    f(2);
    cilk_sync;
}
