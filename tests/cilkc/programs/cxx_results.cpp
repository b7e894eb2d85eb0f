// SPDX-License-Identifier: MIT
// Where a spawned call's result may go: variables of every kind of type, members, elements,
// bit-fields, what operators make.
#include <array>
#include <cilk/cilk.h>
#include <cstdio>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

struct no_default {
    explicit no_default(int v) : value(v) {}
    no_default(const no_default &) = default;
    no_default &operator=(const no_default &) = delete;
    int value;
};

struct counted {
    explicit counted(int v) : value(v) { ++alive; }
    counted(const counted &other) : value(other.value) { ++alive; }
    ~counted() { --alive; }
    int value;
    static int alive;
};
int counted::alive = 0;

struct holder {
    int plain = 0;
    unsigned bits : 5;
    std::string text;

    static unsigned five() { return 5; }
    void fill() {
        bits = cilk_spawn five();
        cilk_sync;
        this->plain = cilk_spawn one();
        cilk_sync;
    }
    static int one() { return 1; }
};

static int twice(int n) {
    return 2 * n;
}
static bool is_odd(int n) {
    return n % 2 == 1;
}
static std::string name(int n) {
    return "n" + std::to_string(n);
}
static no_default wrapped(int n) {
    return no_default(n);
}
static counted count(int n) {
    return counted(n);
}
static std::unique_ptr<int> owned(int n) {
    return std::unique_ptr<int>(new int(n));
}
static std::pair<int, std::string> both(int n) {
    return {n, name(n)};
}
static const char *literal() {
    return "literal";
}

static void variables() {
    int a = cilk_spawn twice(1);
    const int b = cilk_spawn twice(2);
    auto c = cilk_spawn twice(3);
    const auto d = cilk_spawn name(4);
    std::string e = cilk_spawn name(5);
    const no_default f = cilk_spawn wrapped(6);
    auto g = cilk_spawn owned(7);
    std::pair<int, std::string> h = cilk_spawn both(8);
    double i = cilk_spawn twice(9);
    long long j{0};
    j = cilk_spawn twice(10);
    const char *k = cilk_spawn literal();
    std::string l = cilk_spawn literal();
    counted m = cilk_spawn count(13);
    cilk_sync;
    std::printf("%d %d %d %s %s %d %d %s %g %lld %s %s %d\n", a, b, c, d.c_str(), e.c_str(),
                f.value, *g, h.second.c_str(), i, j, k, l.c_str(), m.value);
}

static void targets() {
    holder one, two;
    one.bits = two.bits = 0;
    holder *pointer = &two;
    int a[4] = {};
    std::vector<std::string> names(3);
    std::vector<bool> flags(2);
    std::map<int, int> map;
    map[1] = map[2] = 0;
    std::unique_ptr<int> unique;
    int x = 0, *through = &x;
    one.plain = cilk_spawn twice(1);
    one.bits = cilk_spawn twice(2);
    pointer->plain = cilk_spawn twice(3);
    pointer->bits = cilk_spawn twice(4);
    pointer->text = cilk_spawn name(5);
    pointer = nullptr;
    for (int i = 0; i < 4; ++i)
        a[i] = cilk_spawn twice(i);
    for (unsigned i = 0; i < 3; ++i)
        names[i] = cilk_spawn name(static_cast<int>(i));
    flags[1] = cilk_spawn is_odd(7);
    map[2] = cilk_spawn twice(7);
    unique = cilk_spawn owned(8);
    *through = cilk_spawn twice(9);
    through = nullptr;
    cilk_sync;
    std::printf("%d %d %d %d %s", one.plain, +one.bits, two.plain, +two.bits, two.text.c_str());
    std::printf(" %d %d %d %d %s %s", a[0], a[1], a[2], a[3], names[0].c_str(), names[2].c_str());
    std::printf(" %d %d %d %d\n", +flags[1], map[2], *unique, x);
    one.fill();
    std::printf("%d %d\n", one.plain, +one.bits);
}

static void lives() {
    {
        counted a = cilk_spawn count(1);
        counted b = cilk_spawn count(2);
        cilk_sync;
        std::printf("%d ", counted::alive);
        (void)a;
        (void)b;
    }
    {
        counted never_synced = cilk_spawn count(3);
        (void)never_synced;
    }
    std::printf("%d\n", counted::alive);
}

int main() {
    variables();
    targets();
    lives();
}

/* Output:
2 4 6 n4 n5 6 7 n8 18 20 literal literal 13
2 4 6 8 n5 0 2 4 6 n0 n2 1 14 8 18
1 5
2 0
*/
