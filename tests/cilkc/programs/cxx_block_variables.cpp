// SPDX-License-Identifier: MIT
// options: -std=c++20
// In templates: arguments that are variables of a loop or a block, which end or change while the
// child runs. A callee that accepts a copy gets one.
#include <cilk/cilk.h>
#include <cstdio>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

static void wait() {
    for (volatile int i = 100000; i > 0;) {
        const int left = i - 1;
        i = left;
    }
}

enum { count = 100 };

class marks {
public:
    void operator()(int i) { __atomic_fetch_add(&seen_[i], 1, __ATOMIC_RELAXED); }
    const char *are_right() const {
        for (int s : seen_)
            if (s != 1)
                return "wrong";
        return "right";
    }

private:
    int seen_[count] = {};
};

template <class V, class F>
static void each(const V &v, F f) {
    for (auto x : v)
        cilk_spawn f(x);
    cilk_sync;
}

template <class F>
static void counted(F f) {
    for (int i = 0; i < count; i++) {
        const int x = i;
        cilk_spawn f(x, 1);
    }
    cilk_sync;
}

template <class M, class F>
static void pairs(const M &m, F f) {
    for (auto [key, value] : m)
        cilk_spawn f(key, value);
    cilk_sync;
}

struct large {
    int first;
    int more[15];
};

template <class F>
static void structs(F f) {
    int i = 0;
    do {
        large one = {i, {}};
        one.more[14] = i;
        cilk_spawn f(one);
    } while (++i < count);
    cilk_sync;
}

// A method with overloads, and a function with overloads of which one takes a reference.
struct target {
    marks &m;
    template <class T>
    void put(T &&i) {
        wait();
        m(i);
    }
    void put(const char *) {}
};
static int number_in(const std::string &text) {
    return std::stoi("0" + text.substr(text.size() < 41 ? text.size() : 41));
}
template <class T>
static void put(T &&text, marks &m) {
    wait();
    m(number_in(text));
}
static void put(int, marks &) {}

template <class T>
static void methods(T object) {
    for (int i = 0; i < count; i++) {
        int x = i;
        cilk_spawn object.put(x);
    }
    cilk_sync;
}

template <class V>
static void functions(const V &texts, marks &m) {
    for (auto x : texts)
        cilk_spawn put(x, m);
    cilk_sync;
}

// A callee that takes a reference gets the variable; those of the outermost block are no copies.
template <class F, class G>
static void updated(F f, G g) {
    std::string outermost = "a";
    for (int i = 0; i < 2; i++) {
        std::string inner = "b";
        cilk_spawn f(inner);
        cilk_spawn g(outermost);
        cilk_sync;
        std::printf("%s %s\n", inner.c_str(), outermost.c_str());
    }
}

// An expression is no variable: a reference to what cannot be copied.
template <class F>
static void owners(F f) {
    for (int i = 0; i < 2; i++) {
        std::vector<std::unique_ptr<int>> inner;
        inner.push_back(std::make_unique<int>(i));
        cilk_spawn f(std::as_const(inner));
        cilk_sync;
    }
}

int main() {
    std::vector<int> numbers;
    std::vector<std::string> texts;
    std::map<int, std::string> table;
    for (int i = 0; i < count; i++) {
        numbers.push_back(i);
        texts.push_back("a text that is long enough for the heap: " + std::to_string(i));
        table[i] = texts.back();
    }

    marks a, b, c, d, e, f, g;
    each(numbers, [&](auto &&x) { wait(), a(x); });
    each(texts, [&](auto &&x) { wait(), b(number_in(x)); });
    counted([&](auto &&x, auto &&) { wait(), c(x); });
    pairs(table, [&](auto &&key, auto &&value) {
        wait();
        if (key == number_in(value))
            d(key);
    });
    structs([&](auto &&x) {
        wait();
        if (x.first == x.more[14])
            e(x.first);
    });
    methods(target{f});
    functions(texts, g);
    std::printf("%s %s %s %s %s %s %s\n", a.are_right(), b.are_right(), c.are_right(),
                d.are_right(), e.are_right(), f.are_right(), g.are_right());
    updated([](auto &s) { wait(), s += "1"; }, [](auto &&s) { wait(), s += "2"; });
    owners([](const auto &v) { wait(), std::printf("%d", *v[0]); });
    std::printf("\n");
}

/* Output:
right right right right right right right
b1 a2
b1 a22
01
*/
