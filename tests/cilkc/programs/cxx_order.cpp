// SPDX-License-Identifier: MIT
// serial: differs
// Parts of a spawned call and of a loop's header are evaluated in the serial program's order, and live as long.
// The limit of a cilk_for is read once, unlike that of a for.
#include <cilk/cilk.h>
#include <cstdio>

static int last = 0;

static int next() {
    return ++last;
}

static int start() {
    last = 0;
    return 0;
}

struct pair {
    int first, second;
    pair(int x, int y) : first(x), second(y) { std::printf("pair %d %d\n", x, y); }
};

struct object {
    int k;
    object add(int x) {
        std::printf("%d.add(%d)\n", k, x);
        return *this;
    }
    int operator()(int x) const { return 10 * k + x; }
};

static object make() {
    return object{next()};
}

static object operator<<(object o, int x) {
    std::printf("%d << %d\n", o.k, x);
    return o;
}

static object operator>>(const object &o, object p) {
    std::printf("%d >> %d\n", o.k, p.k);
    return o;
}

// An object that knows its place: a copy shows.
struct fixed {
    int k;
    const fixed *here;
    fixed(int n) : k(n), here(this) {}
    fixed(const fixed &) = delete;
    fixed &take(int x, const int &y) {
        std::printf("%d.take(%d, %d) %d\n", k, x, y, here == this);
        return *this;
    }
};

// What operator-> makes lives until the call has ended.
struct target {
    int holders = 0;
    void show(int x) { std::printf("%d holders %d\n", holders, x); }
};
struct holding {
    target *of;
    explicit holding(target *t) : of(t) { ++of->holders; }
    holding(const holding &from) : of(from.of) { ++of->holders; }
    ~holding() { --of->holders; }
    target *operator->() const { return of; }
};
struct guarded {
    target of;
    holding operator->() { return holding(&of); }
};

template <class G>
static void hold(G &&g) {
    cilk_spawn g->show(3);
    cilk_sync;
}

// Assigns, and is spawned.
struct sum {
    int k;
    sum &operator+=(const sum &o) {
        k += 10 * o.k;
        return *this;
    }
    sum &operator<<=(int s) {
        k <<= s;
        return *this;
    }
};

static sum sums[3] = {{1}, {2}, {3}};

static int read_last() {
    return last;
}

static int first_of_loop() {
    last = 3;
    return 0;
}

static int step_of_loop() {
    last = 100;
    return 1;
}

template <class T>
static void dependent(T *) {
    start();
    cilk_spawn pair{next(), next()};
    cilk_sync;
    start();
    cilk_spawn make().add(T(next(), 0).first);
    cilk_sync;
    int iterations = 0;
    cilk_for (int i = first_of_loop(); i < T(read_last(), 0).first; i += step_of_loop())
        __atomic_fetch_add(&iterations, 1, __ATOMIC_RELAXED);
    std::printf("%d iterations\n", iterations);
}

int main() {
    start();
    cilk_spawn pair{next(), next()};
    cilk_sync;
    start();
    cilk_spawn make().add(next());
    cilk_sync;
    start();
    cilk_spawn make() << next();
    cilk_sync;
    start();
    cilk_spawn make() >> make();
    cilk_sync;
    start();
    cilk_spawn fixed(next()).take(10 * next(), 7);
    cilk_sync;
    start();
    object (object::*method)(int) = &object::add;
    cilk_spawn (make().*method)(next());
    cilk_sync;
    start();
    int x = cilk_spawn make()(next());
    int y = 1;
    cilk_sync;
    std::printf("%d\n", x + y);
    int values[4] = {};
    start();
    values[next()] = cilk_spawn make()(next());
    cilk_sync;
    std::printf("%d %d %d %d\n", values[0], values[1], values[2], values[3]);
    int iterations = 0;
    cilk_for (int i = first_of_loop(); i < read_last(); i += step_of_loop())
        __atomic_fetch_add(&iterations, 1, __ATOMIC_RELAXED);
    std::printf("%d iterations\n", iterations);
    dependent(static_cast<pair *>(nullptr));
    last = -1;
    cilk_spawn sums[next()] += sums[1];
    cilk_sync;
    cilk_spawn sums[next()] <<= next();
    cilk_sync;
    std::printf("%d %d %d\n", sums[0].k, sums[1].k, sums[2].k);
    guarded g;
    start();
    cilk_spawn g->show(next());
    cilk_sync;
    hold(g);
    std::printf("%d holders\n", g.of.holders);
}

/* Output:
pair 1 2
1.add(2)
1 << 2
1 >> 2
1.take(20, 7) 1
1.add(2)
13
0 0 0 12
3 iterations
pair 1 2
pair 2 0
1.add(2)
pair 3 0
3 iterations
21 2 6
1 holders 1
1 holders 3
0 holders
*/
