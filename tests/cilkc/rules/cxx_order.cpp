// SPDX-License-Identifier: MIT
// error: 19:27: Cilk in a part of a spawned call whose parts are evaluated in order: keep its value in a variable before
#include <cilk/cilk.h>

int g(int n);

struct object {
    int k;
    object run(int n);
    template <class F>
    object apply(F f);
};

object make();

int f(int n) {
    cilk_spawn make().apply([&] { cilk_for (int i = 0; i < n; ++i) g(i); });
    cilk_sync;
    cilk_spawn make().run([](int x) { int y = cilk_spawn g(x); g(x); cilk_sync; return y; }(n++));
    cilk_sync;
    return n;
}
