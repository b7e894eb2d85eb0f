// SPDX-License-Identifier: MIT
// error: 16:20: decltype(auto) for the result of a spawned call that depends on the template's parameters, which may be a reference: name its type, or write auto
#include <cilk/cilk.h>

int number();
int &reference();

template <class T>
T &same(T &t) {
    return t;
}

template <class T>
void g(T &t) {
    // The child would make a copy.
    decltype(auto) x = cilk_spawn same(t);
    auto y = cilk_spawn same(t);
    cilk_sync;
    x = y;
}

int f() {
    int n = 1;
    g(n);
    // Here the type is known.
    decltype(auto) a = cilk_spawn number();
    cilk_sync;
    n += a;
    decltype(auto) b = cilk_spawn reference();
    cilk_sync;
    return n + b;
}
