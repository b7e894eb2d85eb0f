// SPDX-License-Identifier: MIT
// Arguments are evaluated, and parameters made, before the parent goes on; temporaries live until
// the child ends. Most programs change here at once what they have handed over.
#include <cilk/cilk.h>
#include <cstdarg>
#include <cstdio>
#include <initializer_list>
#include <memory>
#include <string>
#include <utility>
#include <vector>

// Lets the parent go on first, if it can.
static void wait() {
    for (volatile int i = 0; i < 20000; i = i + 1) {
    }
}

// Copies so slowly that a thief can take the parent before, if it may.
struct slow {
    slow(int v, int) : value(v) {}
    slow(const slow &other) : value(copied(other.value)) {}
    slow(const int &v) : value(copied(v)) {}
    static int copied(const int &v) {
        for (volatile int i = 0; i < 1000000; i = i + 1) {
        }
        return v;
    }
    int value;
};

static int of_slow(slow s) {
    return s.value;
}
template <class T>
static int of_slow_t(T s) {
    return s.value;
}
template <class T>
static int in_template(T s) {
    int x = cilk_spawn of_slow_t(s);
    s.value = 0;
    cilk_spawn of_slow_t(s);
    cilk_sync;
    return x;
}

static void slowly() {
    slow s(3, 0);
    int n = 4, m = 5;
    int a = cilk_spawn of_slow(s);
    s.value = 0;
    int b = cilk_spawn of_slow(n);
    n = 0;
    cilk_sync;
    int c = cilk_spawn of_slow(m);
    m = 0;
    cilk_sync;
    std::printf("%d %d %d %d\n", a, b, c, in_template(slow(6, 0)));
}

enum class color { red, green };
enum plain { none, some };

struct bits {
    unsigned low : 3;
};

struct from_int {
    from_int(int v) : value(v) {}
    int value;
};

struct to_int {
    int value;
    operator int() const { return value; }
};

static int by_value(std::string s) {
    wait();
    return static_cast<int>(s.size());
}
static int by_reference(const std::string &s) {
    wait();
    return static_cast<int>(s.size());
}
static int converted(from_int f) {
    wait();
    return f.value;
}
static int number(int n) {
    wait();
    return n;
}
static int real(const double &d) {
    wait();
    return static_cast<int>(d);
}
static int is_null(const int *p) {
    return p == nullptr ? 1 : 0;
}
static int with_default(int a, int b = 5, std::string s = "abc") {
    return a + b + static_cast<int>(s.size());
}
static int of_list(std::vector<int> v) {
    wait();
    return static_cast<int>(v.size()) + (v.empty() ? 0 : v[0]);
}
static int of_braces(std::initializer_list<int> l) {
    return static_cast<int>(l.size());
}
static int over(int) {
    return 1;
}
static int over(double) {
    return 2;
}
static int over(const char *) {
    return 3;
}
static int taken(std::unique_ptr<int> p) {
    return *p;
}
static int taken(std::vector<int> &&v) {
    std::vector<int> mine(std::move(v));
    return static_cast<int>(mine.size());
}
static int colored(color c, plain p) {
    return static_cast<int>(c) + 10 * p;
}
static int called(int (*f)(int), int n) {
    return f(n);
}
static int counted(int n, ...) {
    va_list list;
    va_start(list, n);
    int sum = 0;
    for (int i = 0; i < n; ++i)
        sum += va_arg(list, int);
    va_end(list);
    return sum;
}
static void increment(int &x) {
    ++x;
}
static int elements(const int *p) {
    return p[0] + p[1];
}
static int of_array(const int (&a)[2]) {
    return a[0] * a[1];
}

struct constants {
    static const int seven = 7;
};

int main() {
    slowly();
    std::string s = "abc";
    int a = cilk_spawn by_value(s);
    s = "longer than before, and on the heap";
    int n = 4;
    int b = cilk_spawn number(n);
    n = 5;
    int c = cilk_spawn converted(n);
    n = 6;
    int d = cilk_spawn real(n);
    n = 7;
    char text[] = "four";
    int e = cilk_spawn by_reference(text);
    text[1] = '\0';
    to_int t = {8};
    int f = cilk_spawn number(t);
    t.value = 9;
    cilk_sync;
    std::printf("%d %d %d %d %d %d\n", a, b, c, d, e, f);

    a = cilk_spawn by_reference(std::string(6, 'x') + "y");
    b = cilk_spawn is_null(0);
    c = cilk_spawn is_null(NULL);
    d = cilk_spawn with_default(1);
    e = cilk_spawn with_default(1, 2);
    int three = 3;
    f = cilk_spawn of_list({three, 2, 1});
    three = 4;
    int g = cilk_spawn of_list({});
    int h = cilk_spawn of_braces({1, 2, 3});
    cilk_sync;
    std::printf("%d %d %d %d %d %d %d %d\n", a, b, c, d, e, f, g, h);

    double half = 0.5;
    a = cilk_spawn over(1);
    b = cilk_spawn over(half);
    c = cilk_spawn over("x");
    std::unique_ptr<int> owned(new int(11));
    d = cilk_spawn taken(std::move(owned));
    std::vector<int> v(4);
    e = cilk_spawn taken(std::move(v));
    bits q = {5};
    f = cilk_spawn number(q.low);
    g = cilk_spawn real(q.low);
    q.low = 1;
    h = cilk_spawn colored(color::green, some);
    cilk_sync;
    std::printf("%d %d %d %d %d %d %d %d\n", a, b, c, d, e, f, g, h);

    color red = color::red;
    int two[] = {3, 4};
    a = cilk_spawn colored(red, none);
    b = cilk_spawn called(number, 12);
    c = cilk_spawn called([](int x) { return x + 1; }, 12);
    d = cilk_spawn counted(3, 1, n, 3);
    e = cilk_spawn number(constants::seven);
    f = cilk_spawn elements(two);
    g = cilk_spawn of_array(two);
    h = 0;
    cilk_spawn increment(h);
    cilk_sync;
    std::printf("%d %d %d %d %d %d %d %d\n", a, b, c, d, e, f, g, h);
    return 0;
}

/* Output:
3 4 5 6
3 4 5 6 4 8
7 1 1 9 6 6 0 3
1 2 3 11 4 5 5 11
0 12 13 11 7 7 12 1
*/
