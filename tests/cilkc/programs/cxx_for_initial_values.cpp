// SPDX-License-Identifier: MIT
// Loops whose variable begins with values in braces or parentheses: aggregates, constructors with
// several arguments or none, numbers, also in templates. The iterators have only the operators that
// their loops need.
#include <cilk/cilk.h>

#include <atomic>
#include <cstdio>

static std::atomic<long> count, sum;

static void visit(long value) {
    count++;
    sum += value;
}

static void print(const char *what) {
    std::printf("%s: %ld, %ld\n", what, count.exchange(0), sum.exchange(0));
}

struct aggregate {
    int at;
    aggregate &operator++() { return ++at, *this; }
    aggregate &operator+=(int by) { return at += by, *this; }
    int operator-(const aggregate &other) const { return at - other.at; }
    bool operator<(const aggregate &other) const { return at < other.at; }
    bool operator!=(const aggregate &other) const { return at != other.at; }
};

struct downwards {
    int at;
    downwards &operator--() { return --at, *this; }
    downwards &operator-=(int by) { return at -= by, *this; }
    int operator-(const downwards &other) const { return at - other.at; }
    bool operator>(const downwards &other) const { return at > other.at; }
};

class strided {
public:
    strided(long at, int stride) : at_(at), stride_(stride) {}
    strided() : at_(3), stride_(1) {}
    long operator*() const { return at_; }
    strided &operator++() { return at_ += stride_, *this; }
    strided &operator+=(long by) { return at_ += by * stride_, *this; }
    long operator-(const strided &other) const { return (at_ - other.at_) / stride_; }
    friend long operator-(long limit, const strided &from) {
        return (limit - from.at_) / from.stride_;
    }
    bool operator!=(const strided &other) const { return at_ != other.at_; }
    bool operator<(const strided &other) const { return at_ < other.at_; }
    bool operator!=(long other) const { return at_ != other; }

private:
    long at_;
    int stride_;
};

template <class T>
static void aggregates() {
    cilk_for (T i{2}; i < T{40}; ++i)
        visit(i.at);
    cilk_for (T i = {3}; i != T{40}; ++i)
        visit(i.at);
    cilk_for (T i{}; i < T{9}; i += 4)
        visit(i.at);
}

template <class T>
static void numbers() {
    cilk_for (T i{}; i < 10; ++i)
        visit(i);
    cilk_for (T i(2); i < 10; ++i)
        visit(i);
    cilk_for (T i = {2}; i < 10; ++i)
        visit(i);
}

template <class T>
static void constructors() {
    cilk_for (T i(1, 3); i != T(31, 3); ++i)
        visit(*i);
    cilk_for (T i{1, 3}; i != T(31, 3); ++i)
        visit(*i);
    cilk_for (T i{}; i < T(9, 1); ++i)
        visit(*i);
}

int main() {
    cilk_for (aggregate i{0}; i < aggregate{50}; ++i)
        visit(i.at);
    cilk_for (aggregate i = {0}; i != aggregate{50}; i += 5)
        visit(i.at);
    cilk_for (aggregate i{}; i < aggregate{5}; ++i)
        visit(i.at);
    cilk_for (downwards i{9}; i > downwards{2}; --i)
        visit(i.at);
    cilk_for (downwards i = {9}; i > downwards{-2}; i -= 3)
        visit(i.at);
    print("aggregates");
    cilk_for (strided i(4, 2); i < strided(40, 2); ++i)
        visit(*i);
    cilk_for (strided i{4, 2}; i != strided(40, 2); ++i)
        visit(*i);
    cilk_for (strided i = {4, 2}; i != strided(40, 2); ++i)
        visit(*i);
    cilk_for (strided i{}; i != 9; ++i)
        visit(*i);
    print("constructors");
    cilk_for (int i{}; i < 10; ++i)
        visit(i);
    cilk_for (unsigned long i{3}; i < 10; ++i)
        visit(static_cast<long>(i));
    cilk_for (auto i{3}; i < 10; ++i)
        visit(i);
    cilk_for (int i = {4}; i < 10; ++i)
        visit(i);
    print("numbers");
    aggregates<aggregate>();
    numbers<short>();
    numbers<long>();
    constructors<strided>();
    print("in templates");
    return 0;
}

/* Output:
aggregates: 76, 1520
constructors: 60, 1167
numbers: 30, 168
in templates: 156, 2157
*/
