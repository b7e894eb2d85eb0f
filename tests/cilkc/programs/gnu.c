// SPDX-License-Identifier: MIT
// options: -std=gnu11
// GNU C around spawns.
#include <cilk/cilk.h>
#include <stdio.h>

#define greater(a, b)                                                                              \
    ({                                                                                             \
        __typeof__(a) a_ = (a);                                                                    \
        __typeof__(b) b_ = (b);                                                                    \
        a_ > b_ ? a_ : b_;                                                                         \
    })

struct __attribute__((aligned(64))) line {
    int value;
};

static __inline__ int __attribute__((always_inline)) leaf(int n) {
    return n;
}

static int __attribute__((noinline)) height(int n) {
    if (n < 2) {
        return leaf(n);
    }
    int a = cilk_spawn height(n - 1);
    int b = height(n - 2);
    cilk_sync;
    return greater(a, b) + 1;
}

// Its address labels are its own: it does not spawn.
static int interpreted(const char *program) {
    static void *const operations[] = {&&end, &&increment, &&twice};
    int result = 0;
    const char *at = program;
    goto *operations[*at++ - '0'];
increment:
    result++;
    goto *operations[*at++ - '0'];
twice:
    result *= 2;
    goto *operations[*at++ - '0'];
end:
    return result;
}

static int interpreting(int n) {
    int steps = cilk_spawn height(n);
    int result = interpreted("12120");
    cilk_sync;
    return result * 100 + steps;
}

static int ranges(int n) {
    struct line lines[3] = {[0 ... 2] = {n}};
    switch (n) {
    case 0 ... 9:
        lines[0].value = cilk_spawn height(n);
        break;
    default:
        lines[1].value = cilk_spawn height(n / 2);
    }
    cilk_sync;
    __extension__ __int128 wide = lines[0].value;
    wide = wide << 70;
    int low = cilk_spawn height(5);
    wide += lines[1].value;
    cilk_sync;
    return (int)(wide >> 70) + (int)(wide & 0xff) + lines[2].value + low +
           ((unsigned long)&lines[1] % 64 == 0 ? 0 : 1000);
}

// As the C library's bind() and accept() take any kind of address.
typedef union __attribute__((transparent_union)) {
    int *narrow;
    long *wide;
} place;

static int half(place p, int is_wide) {
    return p.narrow == NULL ? 0 : (int)(is_wide ? *p.wide : *p.narrow) / 2;
}

static int places(int n) {
    int narrow = n;
    long wide = 3 * n;
    int a = cilk_spawn half(&narrow, 0);
    int b = cilk_spawn half(&wide, 1);
    int c = cilk_spawn half(0, 0);
    int d = half(&wide, 1);
    cilk_sync;
    return a + b + c + d;
}

static void count_down(int *n) {
    --*n;
}

// A block without spawns ends where it began.
static int cleaned(int n) {
    int left = cilk_spawn height(n), at_end = 0;
    {
        int again __attribute__((cleanup(count_down))) = 7;
        at_end += again;
    }
    cilk_for (int i = 0; i < n; i++) {
        int mine __attribute__((cleanup(count_down))) = i;
        (void)mine;
    }
    cilk_sync;
    return left + at_end;
}

// What typeof names is not there where frames are declared.
static int types(int n) {
    struct line lines[2] = {{n}, {n + 1}};
    __typeof__(n) twice = 2 * n;
    __typeof__(lines) copy = {{1}, {2}};
    __typeof__(&lines[0]) second = &lines[1];
    __typeof__(n) *to = &twice, sums[2];
    sums[0] = cilk_spawn height(n);
    __typeof__(sums[0]) other = cilk_spawn height(greater(n, 3));
    sums[1] = cilk_spawn height(({
        __auto_type at = second;
        __typeof__(at->value) value = at->value;
        value;
    }));
    cilk_sync;
    return sums[0] + sums[1] + other + twice + copy[1].value + second->value + *to;
}

int main(void) {
    printf("%d\n", height(16));
    printf("%d\n", interpreting(10));
    printf("%d %d\n", ranges(7), ranges(20));
    printf("%d\n", height(0) ?: 7);
    printf("%d\n", places(10));
    printf("%d\n", cleaned(9));
    printf("%d\n", types(6));
    return 0;
}

/* Output:
16
610
26 55
7
35
16
52
*/
