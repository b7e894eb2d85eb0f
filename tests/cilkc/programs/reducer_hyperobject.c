// SPDX-License-Identifier: MIT
// OpenCilk's own keyword for a reducer, in a file without its header; and functions of reducers that
// are in variables.
#include <stdio.h>

static void zero(void *v) {
    *(long *)v = 0;
}

static void add(void *l, void *r) {
    *(long *)l += *(long *)r;
}

static void one(void *v) {
    *(long *)v = 1;
}

static void times(void *l, void *r) {
    *(long *)l = *(long *)l * *(long *)r % 1000003;
}

typedef void identity_t(void *v);
typedef void (*reduce_t)(void *l, void *r);
struct monoid {
    identity_t *identity;
    reduce_t reduce;
};

static identity_t *identity = zero;
static reduce_t reduce[] = {add, times};
static const struct monoid product = {one, times};
long _Hyperobject(zero, add) sum = 0;
long _Hyperobject(identity, reduce[0]) again = 5;
extern long _Hyperobject(identity, reduce[0]) again;
typedef long _Hyperobject(&one, product.reduce) product_t;
// clang calls this reduction a constant, gcc does not.
static const reduce_t adds = add;
static const reduce_t *const pointed = &adds;
static long _Hyperobject(
    (identity_t *)zero, *pointed) steps = 7, few;

static void more(long _Hyperobject(zero, add) *, int n);
static void more(long _Hyperobject(zero, add) *to, int n) {
    _Cilk_for (int i = 0; i < n; i++)
        *to += i;
}

static long factorial(int n, const struct monoid *m) {
    long _Hyperobject(m->identity, m->reduce) all = 1;
    _Cilk_for (int i = 1; i <= n; i++)
        all = all * i % 1000003;
    return all;
}

struct pair {
    long sum, count;
};

static void no_pair(void *v) {
    *(struct pair *)v = (struct pair){0, 0};
}

static void add_pair(void *l, void *r) {
    struct pair *to = l, *from = r;
    to->sum += from->sum;
    to->count += from->count;
}

static struct monoid monoids[] = {{zero, add}, {no_pair, add_pair}};
typedef struct pair _Hyperobject(monoids[1].identity, (*(monoids + 1)).reduce) pair_t;

static long pairs(int n) {
    pair_t even = {0, 0}, odd = {0, 100};
    pair_t *last = n % 2 ? &even : &odd;
    _Cilk_for (int i = 0; i < n; i++) {
        even.sum += i % 2 ? 0 : i;
        odd.sum += i % 2 ? i : 0;
        last->count++;
    }
    return even.sum + odd.sum * 10 + even.count * 1000 + odd.count * 10000;
}

static long powers(int n) {
    static product_t all = 1;
    _Cilk_for (int i = 0; i < n; i++)
        all = all * 3 % 1000003;
    return all;
}

int main(void) {
    _Cilk_for (int i = 0; i < 1000; i++) {
        sum += i;
        again += 2 * i;
        steps++;
        few += i % 100 == 0;
    }
    more(&sum, 10);
    printf("%ld %ld %ld %ld\n", sum, again, factorial(100, &product), powers(50));
    printf("%ld %ld %ld\n", steps, few, pairs(10));
    return 0;
}

/* Output:
499545 999005 371073 718524
1007 10 1100270
*/
