// SPDX-License-Identifier: MIT
// options: -std=c++17
// Digraphs, __func__, iterators whose operators are not const, and functions that take or return
// what cannot be moved.
#include <cilk/cilk.h>
#include <cstddef>
#include <cstdio>
#include <iterator>
#include <thread>

// clang-format off
static int id(int x) <% return x; %>

static int digraphs() <%
    int a<:2:> = <%1, 2%>;
    a<:0:> = cilk_spawn id(a<:1:>);
    id(1);
    cilk_sync;
    auto f = <:&:> <% int z = cilk_spawn id(4); id(2); cilk_sync; return z; %>;
    cilk_for (int i = 0; i < 2; ++i) <% a<:i:> += 1; %>
    cilk_spawn <% a<:0:> += 1; %>
    cilk_sync;
    const char *text = R"(<%<:)";
    return a<:0:> + 10 * f() + 100 * (text<:2:> == '<');
%>
// clang-format on

static const char *straight() {
    int x = cilk_spawn id(1);
    const char *name = __func__;
    cilk_sync;
    return x == 1 ? name : "";
}
static void print(const char *name) {
    std::printf("%s\n", name);
}
struct object {
    void operator()(int n) {
        cilk_spawn id(n);
        print(__FUNCTION__);
        cilk_sync;
    }
};
template <class T>
static void names(T n) {
    cilk_spawn print(__func__);
    cilk_sync;
    cilk_spawn {
        print(__func__);
    }
    cilk_sync;
    cilk_for (T i = 0; i < n; ++i)
        print(__func__);
}

struct iterator {
    typedef std::random_access_iterator_tag iterator_category;
    typedef int value_type;
    typedef std::ptrdiff_t difference_type;
    typedef int *pointer;
    typedef int &reference;
    int *p;
    int &operator*() { return *p; }
    iterator &operator++() { return ++p, *this; }
    iterator &operator+=(std::ptrdiff_t n) { return p += n, *this; }
    iterator &operator-=(std::ptrdiff_t n) { return p -= n, *this; }
    std::ptrdiff_t operator-(iterator o) { return p - o.p; }
    bool operator!=(iterator o) { return p != o.p; }
    bool operator<(iterator o) { return p < o.p; }
};
struct box {
    int all[10];
    iterator begin() { return {all}; }
    iterator end() { return {all + 10}; }
};

struct fixed {
    int value;
    explicit fixed(int n) : value(n) {}
    fixed(const fixed &) = delete;
};
static int take(fixed f) {
    int x = cilk_spawn id(f.value);
    id(3);
    cilk_sync;
    cilk_spawn id(2);
    return x;
}
static fixed make(int n) {
    int x = cilk_spawn id(n);
    cilk_sync;
    if (x > 5)
        cilk_spawn id(3);
    cilk_sync;
    return fixed(x);
}

int main() {
    std::printf("%d\n", digraphs());
    print(straight());
    object()(1);
    names(1);
    box b{};
    cilk_for (iterator i = b.begin(); i != b.end(); ++i)
        *i += 1;
    cilk_for (iterator i = b.begin(); i < b.end(); i += 2)
        *i += 1;
    cilk_for (auto &x : b)
        x += 5;
    int sum = 0;
    for (int x : b.all)
        sum += x;
    std::thread([] { std::printf("%d %d\n", take(fixed(3)), make(7).value); }).join();
    fixed last = cilk_spawn make(8);
    cilk_sync;
    std::printf("%d %d\n", sum, last.value);
}

/* Output:
144
straight
operator()
names
names
names
3 7
65 8
*/
