// SPDX-License-Identifier: MIT
// Functions with variable arguments are called and spawned like others.
#include <cilk/cilk.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static double sum(int count, ...) {
    va_list arguments;
    va_start(arguments, count);
    double total = 0;
    for (int i = 0; i < count; i++) {
        total += va_arg(arguments, double);
    }
    va_end(arguments);
    return total;
}

static char *text(int n, char *buffer, size_t size) {
    if (n == 0) {
        snprintf(buffer, size, "0");
        return buffer;
    }
    char left[200], right[200];
    char *l = cilk_spawn text(n - 1, left, sizeof left);
    char *r = text(n / 2, right, sizeof right);
    cilk_sync;
    snprintf(buffer, size, "(%s%c%s)", l, "+-*"[n % 3], r);
    return buffer;
}

int main(void) {
    float narrow = 0.5f;
    double a = cilk_spawn sum(3, 1.0, 2.0, 4.0);
    double b = cilk_spawn sum(2, narrow, 8.0);
    int written = cilk_spawn printf("%s %d\n", "spawned", 42);
    // The compiler's own functions have types, as arguments and when they are spawned.
    double c = cilk_spawn sum(2, __builtin_fabs(-1.5), HUGE_VAL > 1 ? 2.0 : HUGE_VAL);
    double d = cilk_spawn __builtin_fabs(-2.5);
    char copy[4];
    cilk_spawn __builtin_memcpy(copy, "abc", 4);
    cilk_sync;
    printf("%g %g %d %g %g %s\n", a, b, written, c, d, copy);
    char buffer[200];
    puts(text(5, buffer, sizeof buffer));
    return 0;
}

/* Output:
spawned 42
7 8.5 11 3.5 2.5 abc
(((((0-0)*(0-0))+(0-0))-((0-0)*(0-0)))*((0-0)*(0-0)))
*/
