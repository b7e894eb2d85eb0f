// SPDX-License-Identifier: MIT
// options: -std=c++17
// Functions that are constexpr in every declaration spawn, and macros of one letter mean nothing.
#define T nothing
#define I nothing
#define n nothing
#include <cilk/cilk.h>
#undef T
#undef I
#undef n
#include <cstdio>

constexpr int fib(int n) {
    if (n < 2)
        return n;
    int a = cilk_spawn fib(n - 1);
    int b = fib(n - 2);
    cilk_sync;
    return a + b;
}

constexpr int sum(int n);
constexpr int sum(int n) {
    int parts[8] = {};
    for (int i = 0; i < n; i++)
        parts[i] = cilk_spawn sum(i);
    cilk_sync;
    int all = n;
    for (int i = 0; i < n; i++)
        all += parts[i];
    return all;
}

struct holder {
    constexpr holder(int x) : value(x) {}
    constexpr int twice(int by) const;
    int value;
};

constexpr int holder::twice(int by) const {
    int x = cilk_spawn fib(by);
    int y = value;
    cilk_sync;
    return 2 * (x + y);
}

template <class T>
constexpr T doubled(T x);
template <class T>
constexpr T doubled(T x) {
    int a = cilk_spawn fib(x);
    int b = x;
    cilk_sync;
    return a + b;
}

int main() {
    std::printf("%d %d %d %d\n", fib(9), sum(5), holder(4).twice(7), doubled(6));
}

/* Output:
34 31 34 14
*/
