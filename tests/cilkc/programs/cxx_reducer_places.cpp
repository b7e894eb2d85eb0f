// SPDX-License-Identifier: MIT
// options: -std=c++17
// Reducers of OpenCilk where the reducer itself is wanted: in aggregates, in calls through pointers,
// in results of lambdas, as elements that a loop goes through or pointers count.
#include <cilk/cilk.h>
#include <cstdio>
#include <new>
#include <vector>

static void zero(void *v) {
    *static_cast<long *>(v) = 0;
}
static void add(void *l, void *r) {
    *static_cast<long *>(l) += *static_cast<long *>(r);
}
static void empty(void *v) {
    new (v) std::vector<int>();
}
static void append(void *l, void *r) {
    std::vector<int> &left = *static_cast<std::vector<int> *>(l);
    std::vector<int> &right = *static_cast<std::vector<int> *>(r);
    left.insert(left.end(), right.begin(), right.end());
    right.~vector();
}
using sum_t = long cilk_reducer(zero, add);
using list_t = std::vector<int> cilk_reducer(empty, append);

static sum_t total = 0;
static sum_t several[4];

// ---- Aggregates

struct pair {
    sum_t sum;
    int other;
};
struct with_elements {
    pair first;
    sum_t rest[2];
    list_t list;
};
struct references {
    sum_t &sum;
    sum_t *pointers[2];
    const sum_t &same;
};

static void aggregates() {
    pair a = {5, 3};
    with_elements w = {{1, 2}, {3, 4}, {7, 8}};
    references r = {a.sum, {&w.rest[0], &total}, a.sum};
    list_t lists[2] = {{1, 2}, {3}};
    cilk_for (int i = 0; i < 1000; ++i) {
        r.sum += i;
        *r.pointers[0] += 1;
        *r.pointers[i % 2] += 1;
        w.first.sum += 1;
        w.rest[1] += 2;
        w.list.push_back(i);
        lists[i % 2].push_back(i);
    }
    std::printf("%ld %ld %ld %ld %ld\n", a.sum + 0, r.same + 0, w.first.sum + 0, w.rest[0] + 0,
                w.rest[1] + 0);
    std::printf("%zu %d %zu %d %zu\n", w.list.size(), w.list[1], lists[0].size(), lists[0][2],
                lists[1].size());
}

// ---- Members that a parameter of the same name initialises

struct named {
    sum_t sum;
    list_t list;
    named(long sum, int list) : sum{sum}, list{list, list} { sum = 0; }
};
template <class T>
struct named_in_template {
    T cilk_reducer(zero, add) sum;
    explicit named_in_template(T sum) : sum{sum} {}
};

static void names() {
    named n(5, 6);
    named_in_template<long> t(6);
    cilk_for (int i = 0; i < 100; ++i) {
        n.sum += i;
        t.sum += i;
    }
    std::printf("%ld %ld %zu\n", n.sum + 0, t.sum + 0, n.list.size());
}

// ---- Calls

static void up(sum_t &to, int n) {
    to += n;
}
static void read(const sum_t &from, const long *at, bool *is_same) {
    *is_same = &static_cast<const long &>(from) == at;
}
static sum_t &the_total() {
    return total;
}
struct object {
    int step = 1;
    void up(sum_t &to, int n) { to += n * step; }
};

static void calls() {
    sum_t sum = 0;
    void (*f)(sum_t &, int) = up;
    auto same = up;
    void (object::*method)(sum_t &, int) = &object::up;
    sum_t &(*get)() = the_total;
    void (*by_constant)(const sum_t &, const long *, bool *) = read;
    object o;
    auto from_lambda = [&]() -> sum_t & { return sum; };
    auto pointer = [&]() -> sum_t * { return &sum; };
    cilk_for (int i = 0; i < 1000; ++i) {
        f(sum, i);
        (*f)((sum), i);
        same(sum, i);
        (o.*method)(sum, i);
        get() += 1;
        [](sum_t &to) { to += 1; }(sum);
        from_lambda() += 1;
        ++*pointer();
    }
    bool is_same = false;
    by_constant(sum, &sum, &is_same);
    std::printf("%ld %ld %d\n", sum + 0, total + 0, is_same);
}

// ---- Elements

static void up_one(sum_t *to) {
    *to += 1;
}
static void up_each(sum_t *from, sum_t *to) {
    for (; from != to; ++from)
        *from += 1;
}

static void elements() {
    list_t lists[2];
    cilk_for (int i = 0; i < 1000; ++i) {
        for (auto &one : several)
            one += i;
        for (sum_t &one : several)
            one += 1;
        for (auto &one : lists)
            one.push_back(i);
        up_one(several + 1);
        up_one(&several[1] + 1);
        up_one(&several[3] - 2);
        *(several + 3) += 1;
        *(&several[0] + 3) += 1;
        (&several[0])[1] += 1;
        up_each(several, several + 4);
        up_each(&several[0], &several[4]);
        sum_t *p = several + 1;
        p++;
        ++*p;
        p[1] += 1;
        for (auto q = &several[0]; q < &several[4]; ++q)
            *q += 1;
    }
    long sum = 0;
    for (auto one : several)
        sum += one;
    for (const auto &one : lists)
        sum += static_cast<long>(one.size());
    std::printf("%ld %ld %ld %ld", several[0] + 0, several[1] + 0, several[2] + 0, several[3] + 0);
    std::printf(" %ld %ld %ld\n", sum, static_cast<long>(&several[3] - several),
                static_cast<long>(&several[3] - &several[1]));
}

int main() {
    aggregates();
    names();
    calls();
    elements();
}

/* Output:
499505 499505 1001 1503 2004
1002 8 502 0 501
4955 4956 2
2001000 1500 1
503500 506500 505500 506500 2024000 3 2
*/
