// SPDX-License-Identifier: MIT
// Arguments and results of all sorts: structs by value, floating point, narrow and wide integers,
// pointers, many of them.
#include <cilk/cilk.h>
#include <complex.h>
#include <stdbool.h>
#include <stdio.h>

struct vector {
    double x, y, z;
};

union number {
    float f;
    unsigned u;
};

struct odd {
    char name[5];
    unsigned a : 3, b : 9;
    union number n;
};

static struct vector walk(struct vector from, struct vector step, int steps) {
    if (steps == 0) {
        struct vector none = {0, 0, 0};
        return none;
    }
    if (steps == 1) {
        struct vector to = {from.x + step.x, from.y + step.y, from.z + step.z};
        return to;
    }
    struct vector zero = {0, 0, 0};
    struct vector a = cilk_spawn walk(from, step, steps / 2);
    struct vector b = walk(zero, step, steps - steps / 2);
    cilk_sync;
    struct vector sum = {a.x + b.x, a.y + b.y, a.z + b.z};
    return sum;
}

static struct odd label(char c, unsigned a, unsigned b, float f) {
    struct odd result = {{c, c, 'x', 'y', 0}, a & 7, b & 511, {f}};
    return result;
}

static double many(char c, short s, unsigned u, long l, long long ll, float f, double d,
                   long double ld, _Bool b, const char *text, double complex z, struct odd o) {
    return c + s + u + (double)l + (double)ll + f + d + (double)ld + b + text[0] + creal(z) +
           cimag(z) + o.a + o.b + o.n.f;
}

static char narrow_char(int n) {
    return (char)n;
}

static unsigned short narrow_short(int n) {
    return (unsigned short)n;
}

static bool even(int n) {
    return n % 2 == 0;
}

static float half(int n) {
    return (float)n / 2;
}

static long double third(int n) {
    return (long double)n / 3;
}

static double complex turned(double x) {
    return x * I;
}

static const char *word(int n) {
    static const char *const words[] = {"zero", "one", "two"};
    return words[n % 3];
}

static void results(int n) {
    char c = cilk_spawn narrow_char('a' + n);
    unsigned short s = cilk_spawn narrow_short(65535 + n);
    bool e = cilk_spawn even(n);
    float h = cilk_spawn half(n);
    long double t = cilk_spawn third(n);
    double complex z = cilk_spawn turned(n);
    const char *w = cilk_spawn word(n);
    struct odd o = cilk_spawn label('q', 11, 600, 0.5f);
    double whole;
    whole = cilk_spawn half(n);
    int truncated;
    truncated = cilk_spawn third(n);
    cilk_sync;
    printf("%c %hu %d %g %Lg %g %s %s %u %u %g %g %d\n", c, s, e, (double)h, t, cimag(z), w, o.name,
           o.a, o.b, (double)o.n.f, whole, truncated);
    double m = cilk_spawn many('a', -3, 7, 1L << 40, -5, 0.25f, 1e-3, 2.5L, true, w, z, o);
    cilk_sync;
    printf("%.6f\n", m);
}

int main(void) {
    struct vector start = {1, 2, 3};
    struct vector step = {0.5, -0.25, 0.125};
    struct vector end = cilk_spawn walk(start, step, 100);
    cilk_sync;
    printf("%g %g %g\n", end.x, end.y, end.z);
    for (int n = 0; n < 4; n++) {
        results(n);
    }
    return 0;
}

/* Output:
51 -23 15.5
a 65535 1 0 0 0 zero qqxy 3 88 0.5 0 0
1099511628089.250977
b 0 0 0.5 0.333333 1 one qqxy 3 88 0.5 0.5 0
1099511628079.250977
c 1 1 1 0.666667 2 two qqxy 3 88 0.5 1 0
1099511628085.250977
d 2 0 1.5 1 3 zero qqxy 3 88 0.5 1.5 1
1099511628092.250977
*/
