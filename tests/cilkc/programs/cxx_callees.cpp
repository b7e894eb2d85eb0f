// SPDX-License-Identifier: MIT
// Callees in templates: what they take by value is made before the function goes on, and what they
// take by reference is the variable itself.
#include <cilk/cilk.h>
#include <cstdio>
#include <deque>
#include <memory>
#include <string>

static void wait() {
    for (volatile int i = 0; i < 3000000; i = i + 1) {
    }
}

static int id(int x) {
    return x;
}

struct slow {
    explicit slow(int n) : v(n) {}
    slow(const slow &other) : v(0) {
        wait();
        v = other.v;
    }
    int v;
};

struct taker {
    int *to;
    void operator()(slow s) const { *to = s.v; }
};

static int of_function = 0;
static void function(slow s) {
    of_function = s.v;
}

template <class F, class T>
static void object(F f, T x) {
    cilk_spawn f(x);
    x.v = 9;
    id(1);
    cilk_sync;
}

struct increment {
    template <class T>
    void operator()(T &&x) const {
        ++x;
    }
};

template <class F, class T>
static void twice(F f, T &x) {
    cilk_spawn f(x);
    cilk_sync;
    cilk_spawn f(x);
    cilk_sync;
}

struct handler {
    int seen = 0;
    const int *at = nullptr;
    void on(int &) { seen = 1; }
    void on(const int &) { seen = 2; }
    void add(const int &x) { at = &x; }
    void take(slow s) { seen = s.v; }
    template <class T>
    void general(T x) {
        seen = static_cast<int>(x);
    }
    static void no_object(std::string s, int *to) {
        wait();
        *to = static_cast<int>(s.size());
    }
};

template <class H, class T>
static bool overloads(H &h, T &x) {
    cilk_spawn h.on(x);
    cilk_sync;
    cilk_spawn h.add(x);
    cilk_sync;
    return h.at == &x;
}

template <class P, class T>
static int method(P h, T x) {
    cilk_spawn h->take(x);
    x.v = 9;
    cilk_sync;
    return h->seen;
}

template <class H, class T>
static int through_pointer(H &h, T x, void (H::*p)(slow)) {
    cilk_spawn (h.*p)(x);
    x.v = 9;
    cilk_sync;
    return h.seen;
}

template <class H, class T>
static int others(H &h, T x) {
    int size = 0;
    cilk_spawn h.template general<T>(x);
    cilk_sync;
    std::string s(4, 'x');
    cilk_spawn h.no_object(s, &size);
    s.clear();
    cilk_sync;
    return 10 * h.seen + size;
}

template <class F, class... A>
static int pack(F f, A... a) {
    int r = cilk_spawn f(1, a...);
    id(1);
    cilk_sync;
    return r;
}

// The variable of a loop is counted on while its children run.
template <class F, class I>
static void each(F f, I first, I last) {
    for (; first != last; ++first)
        cilk_spawn f(first);
    cilk_sync;
}

template <class F>
static void numbers(F f) {
    for (int i = 0; i < 8; ++i)
        cilk_spawn f(i);
}

int main() {
    int to = 0, x = 3;
    object(taker{&to}, slow(3));
    object(function, slow(4));
    std::printf("%d %d\n", to, of_function);
    twice(increment(), x);
    twice([](auto &&y) { ++y; }, x);
    handler h;
    std::printf("%d", x);
    bool same = overloads(h, x);
    std::printf(" %d %d\n", same, h.seen);
    h = handler();
    std::printf("%d %d %d\n", method(&h, slow(4)), method(std::make_shared<handler>(), slow(5)),
                through_pointer(h, slow(7), &handler::take));
    std::printf("%d %d\n", others(h, 6), pack([](int a, int b, int c) { return 100 * a + 10 * b + c; }, 2, 3));
    std::deque<int> d(50, 1);
    each([](std::deque<int>::iterator i) { ++*i; }, d.begin(), d.end());
    int sum = 0;
    for (int v : d)
        sum += v;
    int a[8] = {}, b[8] = {};
    numbers([&](int i) { a[i] = i; });
    numbers([&](auto i) { b[i] = i; });
    for (int i = 0; i < 8; ++i)
        sum += a[i] + b[i];
    std::printf("%d\n", sum);
}

/* Output:
3 4
7 1 1
4 5 7
64 123
156
*/
