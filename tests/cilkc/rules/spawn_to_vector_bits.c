// SPDX-License-Identifier: MIT
// error: 8:5: the result of a spawn cannot go to an element of a vector of bits
#include <cilk/cilk.h>

typedef _Bool bits __attribute__((ext_vector_type(8)));
int f(int n);
void g(bits *v) {
    (*v)[3] = cilk_spawn f(4);
    f(3);
    cilk_sync;
}
