// SPDX-License-Identifier: MIT
// Reducers by typedef, by pointer, static, of a struct, in a scope that is left in each way.
#include <cilk/cilk.h>
#include <stdio.h>
static void zero(void *v) {
    *(long *)v = 0;
}
static void add(void *l, void *r) {
    *(long *)l += *(long *)r;
}
static void one(void *v) {
    *(double *)v = 1;
}
static void times(void *l, void *r) {
    *(double *)l *= *(double *)r;
}
typedef long cilk_reducer(zero, add) sum_t;
sum_t both = 3;
extern sum_t both;
struct pair {
    long a, b;
};
static void pzero(void *v) {
    struct pair *p = v;
    p->a = p->b = 0;
}
static void padd(void *l, void *r) {
    struct pair *p = l, *q = r;
    p->a += q->a;
    p->b += q->b;
}
static void plain(long n) {
    both += n;
}
static void put(long cilk_reducer(zero, add) * to, struct pair cilk_reducer(pzero, padd) * p,
                long n);
static void put(long cilk_reducer(zero, add) * to, struct pair cilk_reducer(pzero, padd) * p,
                long n) {
    if (n == 0)
        return;
    *to += n;
    p->a++;
    p->b += n;
    cilk_spawn put(to, p, n / 2);
    put(to, p, n / 3);
    cilk_sync;
}
static long counted(int n) {
    static long cilk_reducer(zero, add) calls = 0;
    calls++;
    if (n < 2)
        return calls;
    cilk_spawn counted(n - 1);
    counted(n - 2);
    cilk_sync;
    return calls;
}
static long early(int n) {
    for (int k = 0; k < 5; k++) {
        long cilk_reducer(zero, add) s = 1, t = 2;
        cilk_for (int i = 0; i < n; i++) {
            s += i;
            t -= i;
        }
        if (k == n)
            continue;
        if (k == 3)
            break;
        if (k == 4)
            return s;
        if (n == 7)
            return s + t + k;
    }
    return -1;
}
int main(void) {
    long cilk_reducer(zero, add) s = 0;
    struct pair cilk_reducer(pzero, padd) p = {0, 1};
    double cilk_reducer(one, times) d = 1.0;
    put(&s, __builtin_addressof(p), 1000);
    cilk_for (int i = 0; i < 100; i++) {
        plain(i);
        d *= i % 2 ? 2 : 0.5;
    }
    long *view = &both;
    printf("%ld %ld %ld %ld %g\n", s, p.a, p.b, *view, d);
    long cilk_reducer(zero, add) *q = &s;
    *q += 1;
    q = &both;
    *q += 5;
    q[0] += 2;
    put(&q[0], __builtin_addressof(p), 0[q] - 4959);
    put(&*q, __builtin_addressof(p), 1);
    printf("%ld %ld %ld %ld\n", s, both, early(7), early(2));
    printf("%ld\n", counted(12));
    return 0;
}

/* Output:
4606 350 4607 4953 1
4607 4962 3 -1
465
*/
