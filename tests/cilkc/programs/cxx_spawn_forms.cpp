// SPDX-License-Identifier: MIT
// Each thing that may be spawned: functions, methods, objects that can be called, constructors,
// operators, blocks, and calls through pointers.
#include <cilk/cilk.h>
#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace deep {
namespace inner {
static void store(int *to, int value) {
    *to = value;
}
} // namespace inner
} // namespace deep

struct cell {
    int value = 0;

    void set(int v) { value = v; }
    cell &same() { return *this; }
    static void set_static(cell *c, int v) { c->value = v; }
    void twice() { set(2 * value); }
    void spawn_methods() {
        cilk_spawn set(5);
        cilk_sync;
        cilk_spawn this->twice();
        cilk_sync;
        cilk_spawn cell::set(value + 1);
        cilk_sync;
    }
};

struct derived : cell {
    void set(int v) { value = -v; }
    void spawn_both() {
        cilk_spawn cell::set(8);
        cilk_sync;
        cell &base = *this;
        cilk_spawn base.set(value + 1);
        cilk_sync;
    }
};

struct adder {
    int *to;

    void operator()(int a, int b) const { *to = a + b; }
    adder operator+(int more) const {
        *to += more;
        return *this;
    }
    adder &operator++() {
        ++*to;
        return *this;
    }
};

struct logged {
    logged(std::vector<int> *log, int value) { (*log)[0] = value; }
};

typedef void (*function)(int *, int);

static function chosen(int) {
    return deep::inner::store;
}

static cell *made(cell *c) {
    return c;
}

static void forms() {
    int a[12] = {};
    cilk_spawn deep::inner::store(&a[0], 10);
    cilk_spawn::deep::inner::store(&a[1], 11);
    function pointer = deep::inner::store;
    cilk_spawn pointer(&a[2], 12);
    cilk_spawn (*pointer)(&a[3], 13);
    pointer = nullptr;
    cilk_spawn chosen(1)(&a[4], 14);
    function table[] = {deep::inner::store};
    cilk_spawn table[0](&a[5], 15);
    cilk_spawn (deep::inner::store(&a[6], 16));
    cilk_spawn (void)deep::inner::store(&a[7], 17);
    cilk_spawn [&](int v) { a[8] = v; }(18);
    cilk_spawn adder{&a[9]}(9, 10);
    std::function<void()> later = [&] { a[10] = 20; };
    cilk_spawn later();
    auto lambda = [&a](int v) { a[11] = v; };
    cilk_spawn lambda(21);
    cilk_sync;
    for (int x : a)
        std::printf("%d ", x);
    std::printf("\n");
}

static void objects() {
    cell c, d, e, f, g, h;
    std::unique_ptr<cell> owned(new cell);
    std::shared_ptr<cell> shared = std::make_shared<cell>();
    cell *p = &d;
    cilk_spawn c.set(1);
    cilk_spawn p->set(2);
    p = nullptr;
    cilk_spawn made(&e)->same().set(3);
    cilk_spawn owned->set(4);
    cilk_spawn shared->set(5);
    cilk_spawn cell::set_static(&f, 6);
    void (cell::*member)(int) = &cell::set;
    cilk_spawn (g.*member)(7);
    cell *q = &h;
    cilk_spawn (q->*member)(8);
    q = nullptr;
    member = nullptr;
    cilk_sync;
    std::printf("%d %d %d %d %d %d %d %d\n", c.value, d.value, e.value, owned->value,
                shared->value, f.value, g.value, h.value);
    c.spawn_methods();
    derived two;
    two.spawn_both();
    std::printf("%d %d\n", c.value, two.value);
}

static void others() {
    int sum = 1;
    adder add{&sum};
    cilk_spawn add + 4;
    cilk_sync;
    cilk_spawn ++add;
    cilk_sync;
    std::vector<int> log(1);
    cilk_spawn logged(&log, 5);
    cilk_sync;
    int block = 0;
    cilk_spawn {
        int x = 20;
        for (int i = 0; i < 3; ++i) {
            if (i == 1)
                continue;
            x += i;
        }
        block = x;
    }
    cilk_sync;
    int nested[2] = {};
    cilk_spawn {
        cilk_spawn deep::inner::store(&nested[0], 3);
        cilk_sync;
        nested[1] = nested[0] + 1;
    }
    cilk_sync;
    int summed = 0;
    cilk_spawn for (int i = 0; i < 5; ++i) summed += i;
    cilk_sync;
    int assigned[2] = {};
    cilk_spawn assigned[1] = std::abs(-9);
    cilk_sync;
    std::string text = "ab";
    cilk_spawn text.append("cd").append(std::string(2, 'e'));
    cilk_sync;
    std::printf("%d %d %d %d %d %d %d %s\n", sum, log[0], block, nested[0], nested[1], summed,
                assigned[1], text.c_str());
}

int main() {
    forms();
    objects();
    others();
    return 0;
}

/* Output:
10 11 12 13 14 15 16 17 18 19 20 21 
1 2 3 4 5 6 7 8
11 9
6 5 22 3 4 10 9 abcdee
*/
