// SPDX-License-Identifier: MIT
// Which variables a spawn and the statements up to its sync get as copies, and which results are
// returned: what the program prints does not tell.
#include <cilk/cilk.h>
#include <csetjmp>
#include <cstdio>

static int twice(int x) {
    return 2 * x;
}
static int zero(int &x) {
    x = 0;
    return 1;
}
static int fails() {
    throw 4;
}

// An argument changes what comes after.
static int changed_by_argument(int n) {
    int x = cilk_spawn twice(n++);
    int y = twice(n);
    cilk_sync;
    return x * 100 + y;
}

// The statements change it: themselves, by a pointer, a reference, a lambda, an assignment's result.
static int changed_by_statements(int n) {
    int x = cilk_spawn twice(n);
    ++n;
    int y = twice(n);
    cilk_sync;
    return x * 100 + y;
}
static int changed_by_pointer(int n) {
    int *p = &n;
    int x = cilk_spawn twice(3);
    *p = 7;
    int y = twice(n);
    cilk_sync;
    return x * 100 + y;
}
static int changed_by_reference(int n) {
    int x = cilk_spawn twice(3);
    int y = zero(n) + n;
    cilk_sync;
    return x * 100 + y + n;
}
static int changed_by_lambda(int n) {
    const auto change = [&n] { n = 6; };
    int x = cilk_spawn twice(3);
    change();
    int y = twice(n);
    cilk_sync;
    return x * 100 + y;
}
static int changed_by_result(int n) {
    int x = cilk_spawn twice(3);
    int y = zero(n = 5);
    y += n;
    cilk_sync;
    return x * 100 + y + n;
}
static int changed_by_alias(int n) {
    int &alias = n += 2;
    int x = cilk_spawn twice(3);
    alias = 9;
    int y = twice(n);
    cilk_sync;
    return x * 100 + y;
}

// Results of other types, conversions, results that are variables from before.
static long converted(int n) {
    long x = 0, z = 1;
    bool y = false;
    x = cilk_spawn twice(n);
    z = x == 1 ? 1 : twice(n + 1);
    y = n;
    cilk_sync;
    return x * 1000 + z * 10 + y;
}
static double in_order(int n) {
    double x = cilk_spawn twice(n);
    int a = twice(n);
    const int k = a + 1;
    float y = a * k / 2.0F;
    cilk_sync;
    return x + y;
}
static int used_again(int n) {
    int y = 3;
    int x = cilk_spawn twice(n);
    y = y + twice(y);
    cilk_sync;
    return x * 100 + y;
}
static int referred_to(int n) {
    int y = 3;
    int *p = &y;
    int x = cilk_spawn twice(n);
    y = 4;
    cilk_sync;
    return x * 100 + *p;
}

// A copy shadows nothing, and is not made before there is a value.
static int late_value(int n) {
    int late;
    if (n > 2)
        late = n;
    int x = cilk_spawn twice(n);
    int y = n > 2 ? twice(late) : 0;
    cilk_sync;
    return x * 100 + y;
}
static int shadowed(int n) {
    int x = cilk_spawn twice(n);
    for (int n = 0; n < 3; ++n)
        zero(n), n += 2;
    int y = n;
    cilk_sync;
    return x * 100 + y;
}

// An exception leaves variables of before as they were, or as the statement that came first left
// them.
static int caught(bool child_fails) {
    int x = 1, y = 2;
    try {
        cilk_spawn [&] {
            x = cilk_spawn twice(8);
            y = child_fails ? twice(1) : fails();
            cilk_sync;
        }();
        cilk_sync;
    } catch (int e) {
        return x * 100 + y * 10 + e;
    }
    return x * 100 + y;
}
static int caught_around(int n) {
    int x = 1, y = 2;
    try {
        n = 5;
        cilk_for (int i = 0; i < 1; ++i) {
            x = cilk_spawn twice(n);
            y = fails();
            cilk_sync;
        }
    } catch (int e) {
        return x * 100 + y * 10 + e;
    }
    return 0;
}

// Members, elements, parameters of lambdas and of templates.
struct pair {
    int a, b;
    int sum(int k) {
        a = cilk_spawn twice(k);
        b = twice(k + 1);
        cilk_sync;
        return a * 100 + b;
    }
};
template <class T>
static T of_template(T n, int k) {
    if (n < 2)
        return n;
    T x = cilk_spawn of_template<T>(n - 1, k);
    T y = of_template<T>(n - 2, k + 1);
    cilk_sync;
    return x + y;
}
static int in_lambda(int n) {
    const auto f = [n](int k) {
        int x = cilk_spawn twice(n);
        int y = twice(k);
        cilk_sync;
        return x * 100 + y;
    };
    return f(n + 1);
}
static int with_place(int n) {
    std::jmp_buf place;
    int x = cilk_spawn twice(n);
    int y = setjmp(place) == 0 ? n : 0;
    cilk_sync;
    return x * 100 + y;
}

int main() {
    std::printf("%d %d %d %d\n", changed_by_argument(3), changed_by_statements(3),
                changed_by_pointer(3), changed_by_reference(3));
    std::printf("%d %d %d\n", changed_by_lambda(3), changed_by_result(3), changed_by_alias(3));
    std::printf("%ld %g %d %d\n", converted(4), in_order(3), used_again(3), referred_to(3));
    std::printf("%d %d\n", late_value(3), shadowed(7));
    std::printf("%d %d %d\n", caught(true), caught(false), caught_around(3));
    pair both = {0, 0};
    std::printf("%d %ld %d %d\n", both.sum(4), of_template<long>(12, 0), in_lambda(4),
                with_place(4));
}

/* Output:
608 608 614 601
612 601 618
8101 27 609 604
606 1407
1602 1624 1024
810 144 810 804
*/
