// SPDX-License-Identifier: MIT
// Members of packed classes, and elements of their arrays, as targets: nothing refers to them.
// options: -Wall -Wextra -Werror
#include <cilk/cilk.h>
#include <cilk/common.h>
#include <cstdio>

__CILKRTS_BEGIN_EXTERN_C
struct inner {
    short s;
    int i;
};
__CILKRTS_END_EXTERN_C

struct packed {
    char c;
    int i;
    long a[2][3];
    inner in;
    unsigned bits : 5;
    static int next(int n) { return n + 1; }
    void fill(int n) {
        i = cilk_spawn next(n);
        this->a[1][n - 9] = cilk_spawn next(n + 1);
        in.s = cilk_spawn next(n + 2);
        bits = cilk_spawn next(n + 3);
        cilk_sync;
    }
} __attribute__((packed));
struct part {
    char c;
    double d __attribute__((packed));
};

static int &count(int &n) {
    return ++n;
}

int main() {
    packed p[2] = {}, *q = p;
    part some = {1, 2};
    int n = 0;
    p[1].fill(10);
    p[count(n) - 1].i = cilk_spawn packed::next(4);
    q->in.i = cilk_spawn packed::next(5);
    (*q).a[0][count(n)] = cilk_spawn packed::next(6);
    some.d = cilk_spawn packed::next(7);
    some.c = cilk_spawn packed::next(8);
    cilk_sync;
    std::printf("%d %ld %d %u\n", int(p[1].i), long(p[1].a[1][1]), p[1].in.s, p[1].bits);
    std::printf("%d %d %ld %g %d\n", int(p[0].i), int(p[0].in.i), long(p[0].a[0][2]),
                double(some.d), some.c);
    return 0;
}

/* Output:
11 12 13 14
5 6 7 8 9
*/
