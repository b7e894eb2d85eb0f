// SPDX-License-Identifier: MIT
// Results that can only be moved, labels and attributes before spawns, types that a class keeps to
// itself, and loops over what is declared in many ways.
#include <cilk/cilk.h>
#include <cstdio>
#include <memory>
#include <string>
#include <thread>

static int id(int x) {
    return x;
}

// ---- Results

struct node {
    int depth;
    std::unique_ptr<node> below;
};

static std::unique_ptr<node> build(int n) {
    std::unique_ptr<node> made(new node());
    made->depth = n;
    if (n == 0)
        return made;
    std::unique_ptr<node> rest = cilk_spawn build(n - 1);
    id(1);
    cilk_sync;
    if (n % 2 == 0) {
        made->below = std::move(rest);
        return made;
    }
    return (rest);
}

struct counted {
    static int copies;
    counted() {}
    counted(const counted &) { ++copies; }
    counted(counted &&) {}
    ~counted() {}
};
int counted::copies = 0;

static counted make() {
    return counted();
}

static counted handed_on() {
    counted c = cilk_spawn make();
    cilk_sync;
    return c;
}

template <class T>
static T in_template(T (*f)()) {
    T c = cilk_spawn f();
    auto get = [&] { return c; };
    cilk_sync;
    get();
    return c;
}

static bool is_aligned() {
    alignas(64) int x = cilk_spawn id(1);
    [[maybe_unused]] std::string s = cilk_spawn std::string("unused");
    cilk_sync;
    return reinterpret_cast<unsigned long>(&x) % 64 == 0 && x == 1;
}

class tree {
    struct inner {
        int key;
        ~inner() {}
    };
    inner first = {3};

public:
    inner *find(int) { return &first; }
    inner get() { return first; }
};

static int hidden_types(tree &t) {
    auto *p = cilk_spawn t.find(1);
    auto r = cilk_spawn t.get();
    cilk_sync;
    return 10 * p->key + r.key;
}

static int constant(const std::unique_ptr<int> p) {
    int x = cilk_spawn id(*p);
    cilk_sync;
    return x;
}

// ---- Where a spawn begins a statement

enum class which { first, second };

static void put(int *to, int value) {
    *to = value;
}

static int labels(which w, int n) {
    int a = 0, b = 0, c = 0;
    switch (static_cast<int>(w)) {
    case static_cast<int>(which::first): cilk_spawn put(&a, 1); break;
    case (1): cilk_spawn put(&a, 2); break;
    }
    if (n > 1)
        cilk_spawn put(&b, 3);
    (void)cilk_spawn put(&c, 4);
    cilk_sync;
    return a * 100 + b * 10 + c;
}

// ---- Loops

struct image {
    static const int size = 100;
    int a[size];
    void fill() {
        cilk_for (int i = 0; i < size; ++i)
            a[i] = i;
    }
    template <class F>
    void apply(F f) {
        cilk_spawn f(a[1], size);
        cilk_sync;
    }
};

static void add(int &x, int n) {
    x += n;
}

static int sizes(int n) {
    double a[n];
    cilk_for (auto i = 0; i < n; ++i)
        a[i] = i;
    cilk_spawn {
        a[0] = 5;
    }
    cilk_sync;
    return static_cast<int>(a[0] + a[n - 1]);
}

static int rows(int (*m)[3]) {
    cilk_for (int(*p)[3] = m; p != m + 4; ++p)
        (*p)[2] = 7;
    return m[0][2] + m[3][2];
}

constexpr int only_loop(int n) {
    int a[4] = {};
    cilk_for (int i = 0; i < 4; ++i)
        a[i] = n;
    return a[0] + a[3];
}

// ---- The function that the spawn finds

struct base {};
struct derived : base {};

static int over(const base &) {
    return 1;
}

static int earlier(derived &d) {
    int x = cilk_spawn over(d);
    int y = over(d);
    cilk_sync;
    return 10 * x + y;
}

static int over(derived &) {
    return 2;
}

struct widget {
    int v;
};

static int by_value(widget w, const widget &v, widget *p) {
    return w.v + v.v + p->v;
}

static int hides_its_type() {
    widget widget = {4};
    int x = cilk_spawn by_value(widget, widget, &widget);
    id(1);
    cilk_sync;
    return x;
}

int main() {
    std::unique_ptr<node> n = build(4);
    std::printf("%d %d\n", n->depth, n->below->depth);
    handed_on();
    std::printf("%d", counted::copies);
    in_template(make);
    std::printf(" %d\n", counted::copies);
    tree t;
    std::printf("%d %d\n", is_aligned(), hidden_types(t));
    std::thread([] { std::printf("%d\n", constant(std::unique_ptr<int>(new int(8)))); }).join();
    std::printf("%d %d\n", labels(which::first, 2), labels(which::second, 0));
    image m;
    m.fill();
    m.apply(add);
    int square[4][3] = {};
    std::printf("%d %d %d %d %d\n", m.a[99], m.a[1], sizes(6), rows(square), only_loop(3));
    derived d;
    std::printf("%d %d %d\n", earlier(d), over(d), hides_its_type());
    cilk_sync;
}

/* Output:
4 2
0 1
1 33
8
134 204
99 101 10 14 6
11 2 12
*/
