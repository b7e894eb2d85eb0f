// SPDX-License-Identifier: MIT
// Functions that spawn and use themselves inside larger expressions, with no prototype before them.
#include <cilk/cilk.h>
#include <stdio.h>

struct pair {
    int a, b;
};

static int same(int n) {
    return n;
}

static int in_sum(int n) {
    if (n < 2)
        return n;
    int x = cilk_spawn in_sum(n - 1);
    int y;
    y = in_sum(n - 2) + 0;
    cilk_sync;
    return x + y;
}

int argument(int n) {
    if (n < 2)
        return n;
    int x = cilk_spawn argument(n - 1);
    int y = same(argument(n - 2));
    cilk_sync;
    return x + y;
}

inline static int condition(int n) {
    if (n < 2)
        return n;
    int x = cilk_spawn condition(n - 1);
    int y = 0;
    if (condition(n - 2) > 0)
        while (y < condition(n - 2))
            y++;
    cilk_sync;
    return x + y;
}

__attribute__((noinline)) static struct pair of_struct(struct pair p) {
    if (p.a < 2)
        return p;
    struct pair x = cilk_spawn of_struct((struct pair){p.a - 1, 0});
    int y = of_struct((struct pair){p.a - 2, 0}).a;
    cilk_sync;
    x.a += y;
    return x;
}

static int with_loop(int n) {
    int a[3];
    cilk_for (int i = 0; i < 3; i++)
        a[i] = n > 0 ? 1 + with_loop(n - 1) : 1;
    return a[0] + a[1] + a[2];
}

__extension__ static int with_block(int n) {
    int a, b;
    if (n < 2)
        return n;
    cilk_spawn {
        a = with_block(n - 1) + 0;
    }
    b = with_block(n - 2) + 0;
    cilk_sync;
    return a + b;
}

static int with_static(int n) {
    static int (*const self)(int) = with_static;
    if (n < 2)
        return n;
    int x = cilk_spawn self(n - 1);
    int y = self(n - 2);
    cilk_sync;
    return x + y;
}

static int *to_pointer(int *to, int n) {
    int a, b;
    if (n < 2) {
        *to = n;
        return to;
    }
    int *x = cilk_spawn to_pointer(&a, n - 1);
    int y = *to_pointer(&b, n - 2);
    cilk_sync;
    *to = *x + y;
    return to;
}

static int (*to_function(int n))(int) {
    if (n > 0) {
        cilk_spawn to_function(n - 1);
        n = to_function(n - 2)(3);
        cilk_sync;
    }
    return same;
}

#ifdef __clang__
#pragma clang diagnostic ignored "-Wdeprecated-non-prototype"
#endif

static int old_style(n)
    int n;
{
    if (n < 2)
        return n;
    int x = cilk_spawn old_style(n - 1);
    int y = same(old_style(n - 2));
    cilk_sync;
    return x + y;
}

// Declared without its parameters, used, and only then defined.
static double without_parameters();

static int user(int n) {
    double x = cilk_spawn without_parameters(2.0 * n);
    double y = without_parameters(3.0);
    cilk_sync;
    return (int)(x + y);
}

static double without_parameters(double d) {
    if (d < 2)
        return d;
    double x = cilk_spawn without_parameters(d - 1);
    double y = 1 * without_parameters(d - 2);
    cilk_sync;
    return x + y;
}

static int odd(int n);

static int even(int n) {
    if (n <= 0)
        return 1;
    int x = cilk_spawn odd(n - 1);
    int y = 0 + odd(n - 2) + (n > 4 ? even(n - 4) : 0);
    cilk_sync;
    return x + y;
}

static int odd(int n) {
    if (n <= 0)
        return 1;
    int x = cilk_spawn even(n - 1);
    int y = 0 + even(n - 2) + (n > 4 ? odd(n - 4) : 0);
    cilk_sync;
    return x + y;
}

int main(int argc, char **argv) {
    if (argc > 1) {
        int x = cilk_spawn main(1, argv);
        return x + main(1, argv);
    }
    int place;
    printf("%d %d %d\n", in_sum(10), argument(10), condition(10));
    printf("%d\n", of_struct((struct pair){10, 0}).a);
    printf("%d %d %d\n", with_loop(3), with_block(10), with_static(10));
    printf("%d %d\n", *to_pointer(&place, 10), to_function(4)(3));
    printf("%d %d %d\n", old_style(10), user(3), even(9));
    return 0;
}

/* Output:
55 55 55
55
120 55 55
55 3
55 10 141
*/
