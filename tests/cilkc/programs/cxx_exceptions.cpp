// SPDX-License-Identifier: MIT
// Exceptions of children and of what goes on beside them: the one that the serial program throws
// first is the one that is caught.
#include <cilk/cilk.h>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

static void wait() {
    for (volatile int i = 0; i < 20000; i = i + 1) {
    }
}

static int thrower(int n, int when) {
    wait();
    if (n == when)
        throw std::runtime_error("child " + std::to_string(n));
    return n;
}

static int evil() {
    throw std::logic_error("argument");
}

static int many(int n, int when) {
    int sum = 0;
    for (int i = 0; i < n; ++i)
        cilk_spawn thrower(i, when);
    return sum;
}

static int continuation(int when) {
    int x = cilk_spawn thrower(1, when);
    throw std::runtime_error("continuation");
    cilk_sync;
    return x;
}

static int argument() {
    int x = cilk_spawn thrower(evil(), 0);
    cilk_sync;
    return x;
}

static int explicit_sync(int when) {
    int a = cilk_spawn thrower(1, when);
    int b = cilk_spawn thrower(2, 2);
    cilk_sync;
    std::printf("not reached\n");
    return a + b;
}

struct guard {
    explicit guard(int *t) : to(t) {}
    ~guard() { ++*to; }
    int *to;
};

static int nested(int depth, int *destroyed) {
    guard g(destroyed);
    if (depth == 0)
        throw std::runtime_error("deep");
    int x = cilk_spawn nested(depth - 1, destroyed);
    int y = 1;
    cilk_sync;
    return x + y;
}

template <class F>
static void report(const char *what, F f) {
    try {
        f();
        std::printf("%s: nothing\n", what);
    } catch (const std::exception &e) {
        std::printf("%s: %s\n", what, e.what());
    }
}

static int caught_inside(int n) {
    int sum = 0;
    try {
        int x = cilk_spawn thrower(n, n);
        cilk_sync;
        sum += x;
    } catch (const std::runtime_error &) {
        sum += 100;
    }
    try {
        cilk_spawn thrower(n, n);
    } catch (const std::runtime_error &e) {
        sum += 1000;
    }
    return sum;
}

static std::string copied(const char *text) {
    return text;
}

static std::string slot(int when) {
    try {
        std::string text = cilk_spawn copied("long enough for the heap, this text");
        const int n = cilk_spawn thrower(1, when);
        cilk_sync;
        return text.substr(0, 4) + std::to_string(n);
    } catch (const std::exception &e) {
        return e.what();
    }
}

int main() {
    report("many", [] { many(10, 3); });
    report("none", [] { many(10, 30); });
    report("child first", [] { continuation(1); });
    report("continuation", [] { continuation(2); });
    report("argument", [] { argument(); });
    report("first child", [] { explicit_sync(1); });
    report("second child", [] { explicit_sync(5); });
    int destroyed = 0;
    report("deep", [&] { nested(5, &destroyed); });
    std::printf("%d %d\n", destroyed, caught_inside(1));
    std::printf("%s %s\n", slot(1).c_str(), slot(2).c_str());
    report("lambda", [] {
        cilk_spawn thrower(4, 4);
        cilk_sync;
    });
    report("main's", [] {
        cilk_scope {
            cilk_spawn thrower(7, 7);
        }
        std::printf("not reached\n");
    });
    return 0;
}

/* Output:
many: child 3
none: nothing
child first: child 1
continuation: continuation
argument: argument
first child: child 1
second child: child 2
deep: deep
6 1100
child 1 long1
lambda: child 4
main's: child 7
*/
