// SPDX-License-Identifier: MIT
// Elements of vectors, and parts of complex numbers, as destinations.
#include <cilk/cilk.h>
#include <cstdio>
typedef float floats __attribute__((vector_size(16)));
typedef int ints __attribute__((vector_size(32)));
struct holder { char first; ints v; };
static ints global;
static int twice(int n) { return 2 * n; }
static void fill(holder *p, ints *vectors, int i) {
    p->v[i] = cilk_spawn twice(12);
    vectors[1][i++] = cilk_spawn twice(3);
    (*vectors)[i] = cilk_spawn twice(5);
    p->v[7] = cilk_spawn twice(8);
    twice(3);
    cilk_sync;
}
int main() {
    floats v = {0}; holder own = {}, shown = {}; ints vectors[2] = {};
    _Complex double z = 0;
    v[2] = cilk_spawn twice(9);
    v[0] = cilk_spawn twice(7);
    own.v[1] = cilk_spawn twice(10);
    global[3] = cilk_spawn twice(13);
    __real__ z = cilk_spawn twice(6);
    __imag__ z = cilk_spawn twice(7);
    fill(&shown, vectors, 0);
    cilk_sync;
    std::printf("%g %g %d %d %g %g\n", v[0], v[2], own.v[1], global[3], __real__ z, __imag__ z);
    std::printf("%d %d %d %d\n", shown.v[0], vectors[1][0], vectors[0][1], shown.v[7]);
    return 0;
}

/* Output:
14 18 20 26 12 14
24 6 10 16
*/
