// SPDX-License-Identifier: MIT
// error: 8:5: auto for a spawned call with a lambda, whose type depends on a template's parameters, needs C++20: write the type
// error: 10:5: auto for a spawned call with a lambda, whose type depends on a template's parameters, needs C++20: write the type
#include <cilk/cilk.h>

template <class T>
T f(T n) {
    auto x = cilk_spawn [](T k) { return k; }(n);
    T y = cilk_spawn [](T k) { return k; }(n);
    const auto z = cilk_spawn f([](T k) { return k; }(n));
    cilk_sync;
    return x + y + z;
}

int main() {
    return f(0);
}
