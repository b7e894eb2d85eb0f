// SPDX-License-Identifier: MIT
// Spawned calls of functions that are written as operators: members, free functions, in templates.
#include <cilk/cilk.h>

#include <cstdio>
#include <string>
#include <utility>

namespace {

struct number {
    long value = 0;
    number() = default;
    explicit number(long v) : value(v) {}
    number(const number &) = default;
    number &operator=(const number &other) {
        value = other.value;
        return *this;
    }
    number operator-() const { return number(-value); }
    number operator*(const number &other) const { return number(value * other.value); }
    number &operator+=(number other) {
        value += other.value;
        return *this;
    }
    number operator[](long i) const { return number(value + i); }
    number operator()(long i) const { return number(value * i); }
    number &operator++() {
        ++value;
        return *this;
    }
    number operator++(int) {
        number before(*this);
        ++value;
        return before;
    }
    bool operator!() const { return value == 0; }
    number operator->*(long i) const { return number(value - i); }
    explicit operator bool() const { return value != 0; }
};

number operator+(number a, const number &b) {
    a.value += b.value;
    return a;
}
number operator<<(const number &a, int bits) {
    return number(a.value << bits);
}
bool operator==(const number &a, const number &b) {
    return a.value == b.value;
}
bool operator<(const number &a, const number &b) {
    return a.value < b.value;
}
number operator&&(const number &a, const number &b) {
    return number(a.value != 0 ? b.value : 0);
}

void values() {
    number a(3), b(4), c, d[3];
    c = cilk_spawn a + b;
    cilk_sync;
    std::printf("%ld", c.value);
    d[1] = cilk_spawn a * b;
    number e = cilk_spawn a + b;
    const number f = cilk_spawn b << 2;
    auto g = cilk_spawn a->*2;
    bool same = cilk_spawn a == b;
    bool less = cilk_spawn a < b;
    cilk_sync;
    std::printf(" %ld %ld %ld %ld %d %d", d[1].value, e.value, f.value, g.value, same, less);
    c = cilk_spawn -a;
    number h = cilk_spawn a[5];
    number i = cilk_spawn a(5);
    number j = cilk_spawn a && b;
    bool none = cilk_spawn !a;
    cilk_sync;
    std::printf(" %ld %ld %ld %ld %d\n", c.value, h.value, i.value, j.value, none);
}

void statements() {
    number a(3), b(4), c(5);
    cilk_spawn a += b;
    cilk_spawn ++b;
    cilk_sync;
    cilk_spawn c = a;
    cilk_sync;
    cilk_spawn a[2];
    cilk_spawn b++;
    cilk_spawn a + b;
    cilk_sync;
    std::printf("%ld %ld %ld\n", a.value, b.value, c.value);
}

// What is passed by value is copied before the function goes on.
void copies() {
    number sums[8];
    number from(0);
    for (int i = 0; i < 8; i++) {
        from.value = i;
        sums[i] = cilk_spawn from + number(10);
    }
    cilk_sync;
    long all = 0;
    for (const number &one : sums)
        all = 100 * all + one.value;
    std::printf("%ld\n", all);
}

template <class T>
T in_template(T a, T b) {
    T c;
    c = cilk_spawn a + b;
    T d = cilk_spawn a * b;
    auto e = cilk_spawn a << 1;
    T f = cilk_spawn a[2];
    T g = cilk_spawn -a;
    cilk_sync;
    T h(0);
    cilk_spawn h += c;
    cilk_sync;
    cilk_spawn h = d;
    cilk_spawn ++c;
    cilk_sync;
    return c + d + e + f + g + h;
}

template <class T>
long counted() {
    T sums[8];
    T from(0);
    for (int i = 0; i < 8; i++) {
        from = T(i);
        sums[i] = cilk_spawn from + T(10);
    }
    cilk_sync;
    T all(0);
    for (const T &one : sums)
        all += one;
    return all.value;
}

struct matrix {
    number at[4];
    static matrix of(long v) {
        matrix m;
        for (int i = 0; i < 4; i++)
            m.at[i] = number(v + i);
        return m;
    }
    friend matrix operator*(const matrix &a, const matrix &b) {
        matrix c;
        cilk_for (int i = 0; i < 4; i++)
            c.at[i] = a.at[i] * b.at[3 - i];
        return c;
    }
};

matrix power(const matrix &m, int n) {
    if (n == 1)
        return m;
    matrix left = cilk_spawn power(m, n / 2);
    matrix right = power(m, n - n / 2);
    cilk_sync;
    matrix product = cilk_spawn left * right;
    matrix other = cilk_spawn right * left;
    cilk_sync;
    product.at[0] += other.at[3];
    return product;
}

// What is evaluated first: the operands, before the function goes on.
void operands() {
    int n = 0;
    std::string text = "a";
    number parts[4] = {number(1), number(2), number(3), number(4)};
    number sum = cilk_spawn parts[n++] + parts[3];
    n++;
    std::string both = cilk_spawn text + std::to_string(n);
    std::string third;
    third = cilk_spawn std::string(3, 'x') + text;
    cilk_sync;
    std::printf("%d %ld %s %s\n", n, sum.value, both.c_str(), third.c_str());
}

} // namespace

int main() {
    values();
    statements();
    copies();
    std::printf("%ld\n", in_template(number(3), number(5)).value);
    std::printf("%ld\n", counted<number>());
    matrix m = power(matrix::of(1), 5);
    std::printf("%ld %ld\n", m.at[0].value, m.at[3].value);
    operands();
}

/* Output:
7 12 7 16 1 0 1 -3 8 15 4 0
7 6 7
1011121314151617
47
108
512 32
2 5 a2 xxxa
*/
