// SPDX-License-Identifier: MIT
// A spawn may stand before any statement that is no declaration: it is all spawned.
#include <cilk/cilk.h>
#include <stdio.h>
static int fib(int n) { if (n < 2) return n; int x, y; cilk_spawn x = fib(n - 1); y = fib(n - 2); cilk_sync; return x + y; }
static int h(int n) { return n + 1; }
struct o { int count; struct o *next; int (*m)(int); };
#define TWICE(x) do { x; x; } while (0)
int main(void) {
    int a[8] = {0}, s = 0, t = 0, *q = &t; struct o ob = {1, 0, h}, *p = &ob; static long st;
    for (int i = 0; i < 8; i++) cilk_spawn a[i] += h(h(i));
    cilk_sync;
    if (a[0]) cilk_spawn s = h(1); else cilk_spawn s++;
    cilk_sync;
    cilk_spawn (void)p->m(4);
    cilk_spawn (p->m)(4);
    cilk_spawn ob.count <<= p->m(1);
    cilk_spawn *q = h(41);
    cilk_spawn st = fib(10);
    cilk_sync;
    switch (a[1]) { case 3: cilk_spawn --ob.count; break; default: cilk_spawn TWICE(a[2]++); }
    cilk_sync;
    cilk_spawn for (int i = 0; i < 4; i++) a[i] += i;
    cilk_spawn if (a[4] > 5) a[4] = 100; else a[4] = 200;
    cilk_spawn;
    cilk_sync;
    int i = 4; cilk_spawn a[i++] = h(7); i++; cilk_sync;
    cilk_spawn a[7] > 3 ? (void)(a[7] = 1) : (void)0;
    cilk_spawn t = 5, s = 6;
    cilk_sync;
    for (int j = 0; j < 8; j++) printf("%d ", a[j]);
    printf("%d %d %d %ld %d %d\n", s, t, ob.count, st, fib(15), i);
    return 0;
}

/* Output:
2 4 6 8 8 7 8 1 6 5 3 55 610 6
*/
