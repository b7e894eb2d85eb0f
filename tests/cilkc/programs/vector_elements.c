/* SPDX-License-Identifier: MIT */
/* Elements of vectors, and parts of complex numbers, as destinations. */
#include <cilk/cilk.h>
#include <stdio.h>

typedef float floats __attribute__((vector_size(16)));
typedef int ints __attribute__((vector_size(32)));
typedef unsigned char bytes __attribute__((vector_size(8)));
typedef double doubles __attribute__((vector_size(16)));
typedef short pair __attribute__((vector_size(4)));

struct holder {
    char first;
    ints v;
    struct {
        bytes inner[2];
    } part;
};

static ints global;
static __int128 wide;

static int fib(int n) {
    if (n < 2)
        return n;
    int x = cilk_spawn fib(n - 1);
    int y = fib(n - 2);
    cilk_sync;
    return x + y;
}

static int twice(int n) {
    return 2 * n;
}

static __int128 shifted(int n) {
    return (__int128)fib(n) << 70;
}

static _Complex double turned(int n) {
    return fib(n) + 1.0i * twice(n);
}

static void fill(struct holder *p, ints *vectors, volatile doubles *d, int i) {
    p->v[i] = cilk_spawn fib(12);
    (p->v[i + 1]) = cilk_spawn twice(4);
    p->part.inner[1][i++] = cilk_spawn fib(9);
    vectors[1][i] = cilk_spawn fib(11);
    (*vectors)[i ? 7 : 0] -= cilk_spawn fib(8);
    (*d)[0] += cilk_spawn twice(2);
    (*d)[1] = cilk_spawn fib(3);
    fib(10);
    cilk_sync;
}

static void each(floats *sums, int n) {
    cilk_for (int i = 0; i < n; i++) {
        floats w = {0, 0, 0, 0};
        w[0] = cilk_spawn fib(i);
        w[i % 3 + 1] = cilk_spawn twice(i);
        fib(4);
        cilk_sync;
        sums[i] = w;
    }
}

int main(void) {
    floats v = {0}, sums[4];
    struct holder own = {0}, shown = {0};
    ints vectors[2] = {{0}};
    doubles d = {1, 2};
    pair q = {0};
    _Complex double z = 0, y = 0;
    _Complex int whole = 0;
    v[2] = cilk_spawn twice(9);
    v[0] = cilk_spawn fib(7);
    v[3] += cilk_spawn fib(6);
    own.v[1] = cilk_spawn fib(10);
    own.part.inner[0][5] |= cilk_spawn fib(5);
    global[3] = cilk_spawn fib(13);
    global[4] <<= cilk_spawn twice(1);
    q[1] = cilk_spawn fib(20);
    __real__ z = cilk_spawn fib(6);
    __imag__ z = cilk_spawn fib(7);
    __imag__ y += cilk_spawn twice(4);
    __real__ whole -= cilk_spawn twice(5);
    wide = cilk_spawn shifted(10);
    __int128 more = 5;
    more += cilk_spawn shifted(9);
    y += cilk_spawn turned(3);
    fill(&shown, vectors, &d, 0);
    each(sums, 4);
    cilk_sync;
    printf("%g %g %g %g\n", v[0], v[1], v[2], v[3]);
    printf("%d %d %d %d %d\n", own.v[1], own.part.inner[0][5], global[3], global[4], q[1]);
    printf("%d %d %d\n", shown.v[0], shown.v[1], shown.part.inner[1][0]);
    printf("%d %d %g %g\n", vectors[1][1], vectors[0][7], d[0], d[1]);
    printf("%g %g %g %g %d\n", __real__ z, __imag__ z, __real__ y, __imag__ y, __real__ whole);
    printf("%d %d\n", (int)(wide >> 70), (int)(more >> 70) + (int)more);
    for (int i = 0; i < 4; i++)
        printf("%g %g %g %g\n", sums[i][0], sums[i][1], sums[i][2], sums[i][3]);
    return 0;
}

/* Output:
13 0 18 8
55 5 233 0 6765
144 8 34
89 -21 5 2
8 13 2 14 -10
55 39
0 0 0 0
1 0 2 0
1 0 0 4
2 6 0 0
*/
