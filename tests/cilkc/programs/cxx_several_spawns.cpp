// SPDX-License-Identifier: MIT
// Several spawns before one sync, which become invocations within each other: what each part sees
// and assigns, the order of what is evaluated, and which exception leaves.
#include <cilk/cilk.h>
#include <cstdio>
#include <stdexcept>
#include <string>

static int fib(int n) {
    if (n < 3)
        return n;
    int x = cilk_spawn fib(n - 1);
    int y = cilk_spawn fib(n - 2);
    int z = fib(n - 3);
    cilk_sync;
    return x + y + z;
}

static long six(int n) {
    if (n == 0)
        return 1;
    long sum[6] = {};
    sum[0] = cilk_spawn six(n - 1);
    auto b = cilk_spawn six(n - 1);
    long c;
    c = cilk_spawn six(n - 1);
    cilk_spawn [](int k, long *to) { *to = six(k); }(n - 1, &sum[3]);
    --n;
    long e = cilk_spawn six(n);
    long f = six(n);
    cilk_sync;
    return sum[0] + b + c + sum[3] + e + f;
}

// Nothing between the last spawn and the sync.
static void halves(int *from, int *to) {
    if (to - from < 4) {
        for (; from != to; ++from)
            *from += 1;
        return;
    }
    int *middle = from + (to - from) / 2;
    cilk_spawn halves(from, middle);
    cilk_spawn halves(middle, to);
    cilk_sync;
}

// What is changed between the spawns is seen by those below.
static int order(int n) {
    std::string said;
    const auto say = [&](const char *what, int value) {
        said += what;
        return value;
    };
    const auto id = [](int value) { return value; };
    int first = cilk_spawn id(say("a", n++));
    n *= 2;
    int between = n + say("b", 1);
    int second = cilk_spawn id(say("c", n++));
    int *third = cilk_spawn [](int *p) { return p; }(&between);
    for (int i = 0; i < 3; ++i)
        n += i;
    int last = say("d", n);
    cilk_sync;
    std::printf("%s %d %d %d %d\n", said.c_str(), first, second, *third, last);
    return n;
}

static int thrown(int n, const char *what) {
    if (what != nullptr)
        throw std::runtime_error(what);
    return n;
}

static int exceptions(const char *a, const char *b, const char *c, int *runs) {
    int x = cilk_spawn thrown(1, a);
    int y = cilk_spawn thrown((++*runs, 2), b);
    int z = thrown(3, c);
    cilk_sync;
    return x + y + z;
}

static void caught(const char *a, const char *b, const char *c) {
    int runs = 0;
    try {
        std::printf("%d\n", exceptions(a, b, c, &runs));
    } catch (const std::exception &e) {
        std::printf("%s\n", e.what());
    }
}

// Where a block has both kinds, and where one variable has two results.
static int mixed(int n) {
    int a = 0;
    if (n > 0)
        a = cilk_spawn fib(n);
    std::string b = cilk_spawn std::to_string(n);
    int c = cilk_spawn fib(n + 1);
    int d = cilk_spawn fib(n + 2);
    int e = n;
    cilk_sync;
    int f = cilk_spawn fib(1);
    int g = cilk_spawn fib(2);
    cilk_sync;
    return a + static_cast<int>(b.size()) + c + d + e + f + g;
}

struct tree {
    tree *left = nullptr, *right = nullptr;
    int value;
    explicit tree(int n) : value(n) {
        if (n > 1) {
            left = new tree(n / 2);
            right = new tree(n - n / 2);
        }
    }
    ~tree() {
        cilk_spawn drop(left);
        cilk_spawn drop(right);
        value = 0;
        cilk_sync;
    }
    static void drop(tree *t) { delete t; }
    int count() const {
        if (left == nullptr)
            return value;
        int l = cilk_spawn left->count();
        int r = cilk_spawn right->count();
        cilk_sync;
        return l + r;
    }
};

template <class T>
static T in_template(T n) {
    if (n < 1)
        return 1;
    T x = cilk_spawn in_template(n - 1);
    T y = cilk_spawn in_template(n - 1);
    T z = in_template(n - 2);
    cilk_sync;
    return x + y + z;
}

int main() {
    std::printf("%d %ld\n", fib(16), six(4));
    int numbers[100] = {};
    halves(numbers, numbers + 100);
    int sum = 0;
    for (int one : numbers)
        sum += one;
    std::printf("%d\n", sum);
    std::printf("%d\n", order(4));
    caught(nullptr, nullptr, nullptr);
    caught("a", "b", "c");
    caught(nullptr, "b", "c");
    caught(nullptr, nullptr, "c");
    caught("a", nullptr, "c");
    std::printf("%d\n", mixed(5));
    tree *t = new tree(37);
    std::printf("%d %ld\n", t->count(), in_template(10L));
    delete t;
}

/* Output:
8904 1296
100
abcd 4 10 11 14
14
6
a
b
c
a
77
37 8119
*/
