// SPDX-License-Identifier: MIT
// options: -std=c++17
// References and structured bindings that a spawned call initialises.
#include <cilk/cilk.h>
#include <array>
#include <cstdio>
#include <map>
#include <string>
#include <tuple>
#include <utility>

struct base {
    int value = 0;
    explicit base(int v) : value(v) { ++alive; }
    base(const base &other) : value(other.value) { ++alive; }
    virtual ~base() { --alive; }
    virtual int name() const { return 1; }
    static int alive;
};
int base::alive = 0;
struct derived : base {
    explicit derived(int v) : base(v) {}
    int name() const override { return 2; }
};
struct three {
    int first;
    std::string second;
    unsigned third : 4;
};

static int cells[8];
static derived whole(7);
static std::map<std::string, int> table;

static int &cell(int i) {
    cells[i] += 10;
    return cells[i];
}
static const int &constant_cell(int i) {
    return cell(i);
}
static int &&moved_cell(int i) {
    return static_cast<int &&>(cell(i));
}
static derived &the_whole() {
    return whole;
}
static derived make(int n) {
    return derived(n);
}
static std::pair<int, std::string> both(int n) {
    return {n, std::to_string(n)};
}
static three all(int n) {
    return {n, std::to_string(n), static_cast<unsigned>(n)};
}
static three &reference_to(three &t) {
    return t;
}
static const char *text(int n) {
    return n > 0 ? "positive" : "negative";
}
static long number(int n) {
    return n;
}

template <class T>
static T in_template(T n) {
    int &x = cilk_spawn cell(3);
    const auto &[a, b] = cilk_spawn both(4);
    const std::string &s = cilk_spawn text(1);
    cilk_sync;
    x += 1;
    return n + x + a + static_cast<T>(b.size() + s.size());
}

static int by_lambda(int n) {
    auto inner = [&](int k) {
        int &x = cilk_spawn cell(k);
        auto other = [&] { return x + n; };
        cilk_sync;
        auto by_name = [&x] { return ++x; };
        auto renamed = [&y = x] { return ++y; };
        return other() + by_name() + renamed();
    };
    return inner(5);
}

// A capture by copy is one of the object.
static int by_copy(int n) {
    int &x = cilk_spawn cell(n);
    number(n);
    cilk_sync;
    auto all = [=] { return x; };
    auto by_name = [x]() mutable { return x += 1; };
    auto nested = [=] { return [&] { return x + [x] { return x; }(); }(); };
    auto in_reference = [&x] { return [=] { return x; }; };
    auto inner = in_reference();
    x += 1000;
    return all() + by_name() + nested() + inner() + in_reference()();
}

int main() {
    int &x = cilk_spawn cell(0);
    auto &y = cilk_spawn cell(1);
    const int &z = cilk_spawn constant_cell(2);
    auto &&moved = cilk_spawn moved_cell(6);
    base &as_base = cilk_spawn the_whole();
    decltype(auto) same = cilk_spawn cell(7);
    cilk_sync;
    x += 1;
    y = x + y;
    moved *= 2;
    std::printf("%d %d %d %d %d %d\n", x, y, z, moved, as_base.name(), same);
    std::printf("%d %d\n", &x == cells, &as_base == &whole);
    {
        const base &lasting = cilk_spawn make(3);
        const derived &exact = cilk_spawn make(4);
        auto &&deduced = cilk_spawn make(5);
        derived &&changed = cilk_spawn make(6);
        const std::string &converted = cilk_spawn text(-1);
        const int &narrow = cilk_spawn number(8);
        const long &wide = cilk_spawn cell(4);
        [[maybe_unused]] const auto &unused = cilk_spawn number(9);
        cilk_sync;
        changed.value += 1;
        std::printf("%d %d %d %d %d %s %d %ld %d\n", lasting.value, lasting.name(), exact.value,
                    deduced.value, changed.value, converted.c_str(), narrow, wide, base::alive);
    }
    std::printf("%d\n", base::alive);

    auto [number_of, name] = cilk_spawn both(12);
    const auto [first, second, third] = cilk_spawn all(3);
    auto &&[one, two, four] = cilk_spawn all(5);
    three kept = all(6);
    auto [copied, string, bits] = cilk_spawn reference_to(kept);
    auto [where, is_new] = cilk_spawn table.emplace("a", 1);
    auto [e0, e1] = cilk_spawn [] { return std::array<int, 2>{{8, 9}}; }();
    cilk_sync;
    one += 1;
    copied += 100;
    std::printf("%d %s %d %s %u %d %s %u\n", number_of, name.c_str(), first, second.c_str(),
                static_cast<unsigned>(third), one, two.c_str(), static_cast<unsigned>(four));
    std::printf("%d %d %s %u %s %d %d %d\n", copied, kept.first, string.c_str(),
                static_cast<unsigned>(bits), where->first.c_str(), is_new, e0, e1);
    std::printf("%d %d\n", in_template(1), by_lambda(1));
    for (int i = 0; i < 3; ++i) {
        int &each = cilk_spawn cell(i);
        cilk_sync;
        each += i;
    }
    std::printf("%d %d %d\n", cells[0], cells[1], cells[2]);
    std::printf("%d\n", by_copy(0));
}

/* Output:
11 21 10 20 2 10
1 1
3 2 4 5 7 negative 8 10 5
1
12 12 3 3 3 6 5 5
106 6 6 6 a 1 8 9
25 34
21 32 22
1187
*/
