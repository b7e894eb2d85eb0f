/* SPDX-License-Identifier: MIT */
/* Members of packed structures as destinations. */
/* options: -Wall -Wextra -Werror */
#include <cilk/cilk.h>
#include <cilk/common.h>
#include <stdio.h>

__CILKRTS_BEGIN_EXTERN_C

struct inner {
    short s;
    int i;
};
struct packed {
    char c;
    int i;
    struct inner in;
} __attribute__((packed));
struct part {
    char c;
    double d __attribute__((packed));
};

static int next(int n) {
    return n + 1;
}

static void fill(struct packed *p, struct part *q, int n) {
    p->i = cilk_spawn next(n);
    p->in.i = cilk_spawn next(n + 1);
    p[1].i = cilk_spawn next(p->c);
    q->d = cilk_spawn next(n + 2);
    cilk_sync;
}

int main(void) {
    struct packed p[2] = {{1, 2, {3, 4}}, {5, 6, {7, 8}}};
    struct part q = {1, 2};
    fill(p, &q, 10);
    p[1].in.s = cilk_spawn next(p[0].i);
    q.c = cilk_spawn next(5);
    cilk_sync;
    printf("%d %d %d %g %d %d\n", p[0].i, p[0].in.i, p[1].i, q.d, p[1].in.s, q.c);
    return 0;
}

__CILKRTS_END_EXTERN_C

/* Output:
11 12 2 13 12 6
*/
