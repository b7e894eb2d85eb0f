// SPDX-License-Identifier: MIT
// Types of the C++ library that are made by index sequences, for which compilers have builtins of
// their own: spawned calls make and take them. Template arguments of methods.
// options: -std=c++17
#include <cilk/cilk.h>

#include <any>
#include <cstdio>
#include <functional>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <variant>

static int same(int n) {
    return n;
}
static int add(int a, int b) {
    return a + b;
}
template <std::size_t... i>
static int total(std::index_sequence<i...>) {
    return (0 + ... + static_cast<int>(i));
}

static void variants() {
    std::variant<int, std::string> word;
    word = cilk_spawn std::string("word");
    std::any any;
    any = cilk_spawn same(3);
    std::variant<int, double> number = cilk_spawn same(4);
    std::optional<int> maybe;
    maybe = cilk_spawn same(5);
    cilk_sync;
    std::printf("%s %d %d %d\n", std::get<1>(word).c_str(), std::any_cast<int>(any),
                std::get<int>(number), *maybe);
}

static void sequences() {
    auto bound = std::bind(add, std::placeholders::_1, 4);
    int results[4];
    results[0] = cilk_spawn bound(3);
    results[1] = cilk_spawn std::apply(add, std::make_tuple(3, 9));
    results[2] = cilk_spawn total(std::make_index_sequence<5>());
    results[3] = cilk_spawn std::invoke(add, 1, 2);
    auto both = cilk_spawn std::tuple_cat(std::make_tuple(1), std::make_tuple(2.5));
    cilk_sync;
    std::printf("%d %d %d %d %g\n", results[0], results[1], results[2], results[3],
                std::get<1>(both));
}

struct scale {
    int factor = 3;
    template <class T>
    T times(T n) const {
        return n * static_cast<T>(factor);
    }
    template <class T>
    static T square(T n) {
        return n * n;
    }
    template <int more>
    int operator()(int n) const {
        return n * factor + more;
    }
};

static void methods() {
    scale by_three, *pointer = &by_three;
    long results[7];
    results[0] = cilk_spawn pointer->times<long>(3);
    results[1] = cilk_spawn by_three.times<long>(4);
    results[2] = cilk_spawn (*pointer).times<int>(5);
    results[3] = cilk_spawn scale().times<short>(6);
    results[4] = cilk_spawn by_three.operator()<4>(7);
    results[5] = cilk_spawn pointer->square<int>(8);
    results[6] = cilk_spawn by_three.template times<long>(9);
    cilk_spawn pointer->times<int>(3);
    cilk_sync;
    for (const long one : results)
        std::printf("%ld ", one);
    std::printf("\n");
}

int main() {
    variants();
    sequences();
    methods();
    return 0;
}

/* Output:
word 3 4 5
7 12 10 3 2.5
9 12 15 18 25 64 27 
*/
