// SPDX-License-Identifier: MIT
// error: 54:11: structured bindings cannot name parts of an object that a spawned call refers to: spawn into a reference, and name its parts after the cilk_sync
// error: 55:10: a spawned call cannot bind a reference to an array, a function or an object of a type without a name: spawn a call that returns a pointer
// error: 56:10: structured bindings of a spawned call by a get() of the program's, which would read the object too early: spawn into a variable, and name its parts after the cilk_sync
// error: 57:10: the result of a spawned call with a lambda has a type without a name: give the lambda a name before
// error: 58:16: cilk_spawn cannot initialise a static, thread_local or constexpr variable: spawn into another one, and copy it after the cilk_sync
// error: 59:13: cilk_spawn in a declaration of more than one variable: declare this one by itself
// error: 60:22: cilk_spawn cannot initialise a static, thread_local or constexpr variable: spawn into another one, and copy it after the cilk_sync
// error: 61:21: an argument of type 'fixed' of a spawned call: such objects can be neither copied nor moved
// error: 63:5: the array 'sized' of variable size in a spawned call: use a pointer to its elements
// error: 64:18: the array 'sized' of variable size in a spawned call: use a pointer to its elements
// error: 65:12: structured bindings cannot name parts of an object that a spawned call refers to: spawn into a reference, and name its parts after the cilk_sync
// error: 66:10: structured bindings of a spawned call to a tuple or pair of references, which would be read too early: spawn into a variable, and name its parts after the cilk_sync
// error: 73:8: a reference or structured binding of a spawned call that depends on the template's parameters: spawn into a variable, and name its parts after the cilk_sync
// error: 74:10: a reference or structured binding of a spawned call that depends on the template's parameters: spawn into a variable, and name its parts after the cilk_sync
// error: 80:22: alignas on a variable that a spawned call initialises: declare it before, and assign it
#include <cilk/cilk.h>
#include <memory>
#include <mutex>
#include <utility>

int g(int n);
int &reference(int n);
std::pair<int, int> &both();
std::pair<int, int> &&gone();
std::pair<int &, int &> ends();
int (&row(int n))[3];
struct counted {
    int value;
    template <int n>
    int get() const {
        return value + n;
    }
};
template <>
struct std::tuple_size<counted> {
    static const int value = 1;
};
template <>
struct std::tuple_element<0, counted> {
    using type = int;
};
counted count();
void take(std::unique_lock<std::mutex> lock);
struct fixed {
    fixed();
    fixed(const fixed &) = delete;
    int value;
};
void keep(fixed f);

int f(int n) {
    auto &&x = cilk_spawn [](int k) { return [](int m) { return m; }(k); }(n);
    auto &[a, b] = cilk_spawn both();
    int(&y)[3] = cilk_spawn row(n);
    auto [only] = cilk_spawn count();
    auto closure = cilk_spawn [](int k) { return [k] { return k; }; }(n);
    static int z = cilk_spawn g(n);
    int c = cilk_spawn g(1), d = 2;
    thread_local int e = cilk_spawn g(n);
    cilk_spawn keep(fixed());
    int sized[n];
    sized[0] = cilk_spawn g(1);
    cilk_spawn g(sized[1]);
    auto &&[m, o] = cilk_spawn gone();
    auto [p, q] = cilk_spawn ends();
    cilk_sync;
    return m + o + p + q + x + y[0] + z + a + b + c + d + e + only + closure();
}

template <class T>
T in_template(T n) {
    T &x = cilk_spawn h(n);
    auto [a, b] = cilk_spawn h(n);
    cilk_sync;
    return x + a + b;
}

int aligned(int n) {
    alignas(64) auto [a, b] = cilk_spawn std::pair<int, int>(n, n);
    cilk_sync;
    return a + b;
}
