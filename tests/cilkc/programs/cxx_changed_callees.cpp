// SPDX-License-Identifier: MIT
// What a spawned call calls is found before the function goes on; a lambda in it has one set of
// static variables.
#include <cilk/cilk.h>
#include <cstdio>

enum { rounds = 20 };

static int one(int n) {
    return n + 1;
}
static int two(int n) {
    return n + 2;
}

template <class F, class T>
static int pointers(F f, F g, T x) {
    int results[rounds];
    for (int i = 0; i < rounds; ++i) {
        F h = f;
        results[i] = cilk_spawn h(x);
        h = g;
    }
    cilk_sync;
    int sum = 0;
    for (int result : results)
        sum += result;
    return sum;
}

struct table {
    int (*at)(int);
    int call(int x) {
        int results[rounds];
        int (*const first)(int) = at;
        for (int i = 0; i < rounds; ++i) {
            results[i] = cilk_spawn at(x);
            at = two;
            cilk_sync;
            at = first;
        }
        int sum = 0;
        for (int result : results)
            sum += result;
        return sum;
    }
};

static int members(table *t, int x) {
    int sum = 0;
    for (int i = 0; i < rounds; ++i) {
        int a = cilk_spawn t->at(x);
        int b = cilk_spawn(*t).at(x);
        t->at = two;
        cilk_sync;
        t->at = one;
        sum += a + b;
    }
    return sum;
}

template <class T>
static T of(T value) {
    return value;
}

struct adding {
    int sum;
    int operator()(int by) { return sum += by; }
};

// An object is called itself, not a copy of it.
template <class F>
static int called(F f) {
    cilk_spawn f(3);
    cilk_sync;
    cilk_spawn f(4);
    cilk_sync;
    return f.sum;
}

// The same where only the arguments depend on the template's parameters.
template <class T>
static int called_with(T by) {
    adding f = {5};
    cilk_spawn f(of(by));
    cilk_sync;
    cilk_spawn f(by);
    cilk_sync;
    return f.sum;
}

template <class T>
static int counted(T by) {
    int n = cilk_spawn one([](T k) {
        static int counts;
        return counts += k;
    }(by));
    int other = one(0);
    cilk_sync;
    int m = cilk_spawn [](T k) {
        static int counts;
        return counts += k;
    }(by);
    cilk_sync;
    cilk_spawn {
        static int counts;
        m += counts += by;
    }
    cilk_sync;
    return 10 * n + m + other;
}

int main() {
    std::printf("%d %d\n", pointers(one, two, 3), pointers(&two, &one, 3L));
    table t = {one};
    std::printf("%d %d\n", t.call(3), members(&t, 3));
    std::printf("%d %d %d\n", called(adding{2}), called_with(1), called_with(2L));
    const int a = counted(1), b = counted(2L), c = counted(1);
    std::printf("%d %d %d\n", a, b, c);
    return 0;
}

/* Output:
80 100
80 160
9 7 9
23 35 35
*/
