// SPDX-License-Identifier: MIT
// Where variables live: by value in frames, in blocks, lifted, renamed; of sizes known at run time.
#include <cilk/cilk.h>

#include <stddef.h>
#include <stdio.h>
#include <string.h>

struct point {
    double x;
    int tag;
};

static struct point shifted(struct point p, double by) {
    p.x += by;
    return p;
}

static long fib(int n) {
    if (n < 2)
        return n;
    long x = cilk_spawn fib(n - 1);
    long y = fib(n - 2);
    cilk_sync;
    return x + y;
}

static int same(int n) {
    return n;
}

static void put(int *to, int value) {
    *to = value + (int)fib(5) - 5;
}

// Structs and doubles across spawns; constants; a struct that a spawn assigns.
static double by_value(double scale) {
    struct point p = {scale, 1}, q = {0};
    const double half = scale / 2;
    float f = 1.5f;
    q = cilk_spawn shifted(p, half);
    p.tag = 7;
    f += (float)half;
    cilk_sync;
    const struct point r = cilk_spawn shifted(q, f);
    double d = half * 3;
    cilk_sync;
    return p.x + q.x * 10 + r.x * 100 + d * 1000 + p.tag + q.tag + r.tag;
}

// Arrays and variables whose address is taken.
static int in_blocks(int n) {
    int values[8] = {1, 2, 3}, single = 40;
    char word[] = "clone";
    const char *const words[2] = {"fast", word};
    for (int i = 3; i < 8; ++i)
        cilk_spawn put(&values[i], i * n);
    cilk_spawn put(&single, 2 * n);
    word[0] = 'C';
    cilk_sync;
    int sum = single;
    for (int i = 0; i < 8; ++i)
        sum = sum * 3 % 10007 + values[i];
    return sum + (strcmp(word, "Clone") == 0) + (int)strlen(words[1]) + (int)sizeof word;
}

// A loop's own variable in a block.
static int in_for(int n) {
    int sum = 0;
    for (int i = 0, last = n; i < last; i += 2) {
        int part;
        int *p = &i;
        cilk_spawn put(&part, *p);
        cilk_sync;
        sum += part;
    }
    return sum;
}

// Names that hide others, and types and statics of the function's own.
typedef int number;

static int names(int n) {
    struct pair {
        int a, b;
    } sum = {n, 1};
    enum { ten = 10, more };
    typedef struct {
        struct pair inner;
        int c;
    } boxed;
    static int calls[2];
    static int limit = ten;
    int x = n;
    {
        int x = n * 2;
        boxed b = {{x, 2}, more};
        long y = cilk_spawn fib(x % 7);
        {
            int n = x + 1;
            int number = cilk_spawn same(n);
            cilk_sync;
            x = number;
        }
        cilk_sync;
        sum.a += x + (int)y + b.inner.a + b.c;
    }
    __atomic_fetch_add(&calls[0], 1, __ATOMIC_RELAXED);
    return sum.a + sum.b + x + limit;
}

// Sizes that are known at run time.
static long matrix_sum(int rows, int columns, int (*m)[columns]) {
    long top = 0, rest = 0;
    if (rows == 1) {
        for (int i = 0; i < columns; ++i)
            top += m[0][i];
        return top;
    }
    top = cilk_spawn matrix_sum(rows / 2, columns, m);
    rest = matrix_sum(rows - rows / 2, columns, m + rows / 2);
    cilk_sync;
    return top + rest + (long)(sizeof *m / sizeof **m) - columns;
}

static long of_variable_size(int n) {
    int m[n][n + 1];
    char bytes[n];
    for (int i = 0; i < n; ++i)
        for (int j = 0; j <= n; ++j)
            m[i][j] = i * j;
    long sum = cilk_spawn matrix_sum(n, n + 1, m);
    memset(bytes, 1, sizeof bytes);
    long again = matrix_sum(n, n + 1, m);
    cilk_sync;
    return sum * 1000 + again + (long)sizeof m + bytes[n - 1];
}

static long on_the_stack(int n) {
    long *values = __builtin_alloca((size_t)n * sizeof *values);
    for (int i = 0; i < n; ++i)
        values[i] = cilk_spawn fib(i);
    cilk_sync;
    long sum = 0;
    for (int i = 0; i < n; ++i)
        sum += values[i];
    return sum;
}

int main(void) {
    printf("%.3f\n", by_value(1.25));
    printf("%d\n", in_blocks(3));
    printf("%d\n", in_for(9));
    printf("%d\n", names(4));
    printf("%ld\n", of_variable_size(9));
    printf("%ld\n", on_the_stack(12));
    return 0;
}

/* Output:
2304.000
4987
20
48
1621981
232
*/
