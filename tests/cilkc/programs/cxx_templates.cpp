// SPDX-License-Identifier: MIT
// Calls that depend on a template's parameters.
#include <cilk/cilk.h>
#include <cstdio>
#include <deque>
#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>

static void wait() {
    for (volatile int i = 0; i < 20000; i = i + 1) {
    }
}

template <class T>
static T sum_of(const T *begin, const T *end) {
    if (end - begin < 4) {
        T sum = T();
        for (; begin != end; ++begin)
            sum = sum + *begin;
        return sum;
    }
    const T *middle = begin + (end - begin) / 2;
    T left = cilk_spawn sum_of(begin, middle);
    T right = sum_of(middle, end);
    cilk_sync;
    return left + right;
}

// Its arguments change as soon as the parent goes on.
template <class Iterator, class Function>
static void each(Iterator begin, Iterator end, Function f) {
    while (end - begin > 1) {
        Iterator middle = begin + (end - begin) / 2;
        cilk_spawn each(middle, end, f);
        end = middle;
    }
    if (begin != end)
        f(*begin);
}

template <class F, class G>
static void both(F f, G &&g) {
    cilk_spawn f();
    g();
    cilk_sync;
}

template <class F, class T>
static void call_twice(F f, T first, T second) {
    cilk_spawn f(first, 1);
    first = second;
    cilk_spawn f(first, 2);
    cilk_sync;
}

template <class... A>
static int count(const A &...) {
    return static_cast<int>(sizeof...(A));
}
template <class... A>
static int spawn_pack(A... a) {
    int x = cilk_spawn count(a...);
    auto y = cilk_spawn count(1, a...);
    cilk_sync;
    return 10 * x + y;
}

template <class T, int n>
static T times(T x) {
    wait();
    return x * n;
}

template <class T>
class box {
public:
    explicit box(T v) : value_(v) {}
    T get() const { return value_; }
    void add(T v) { value_ = value_ + v; }
    void add_both(T a, T b);
    template <class U>
    void add_other(U v) {
        value_ = value_ + static_cast<T>(v);
    }
    template <class U>
    void add_twice(U v) {
        cilk_spawn add_other(v);
        cilk_sync;
        cilk_spawn this->template add_other<int>(v);
        cilk_sync;
    }
    static T twice(T v) { return v + v; }
    T spawn_static(T v) {
        T x = cilk_spawn twice(v);
        T y = cilk_spawn box<T>::twice(v);
        cilk_sync;
        return x + y;
    }

private:
    T value_;
};

template <class T>
void box<T>::add_both(T a, T b) {
    cilk_spawn add(a);
    cilk_sync;
    cilk_spawn this->add(b);
    cilk_sync;
}

template <class B, class T>
static void on_objects(B &object, B *pointer, const std::shared_ptr<B> &shared, T value) {
    cilk_spawn object.add(value);
    cilk_spawn pointer->add(value);
    cilk_spawn shared->add(value);
    pointer = nullptr;
    cilk_sync;
}

struct traits {
    typedef long number;
    static number make(int n) { return n; }
};

template <class T>
static typename T::number made(int n) {
    typename T::number x = cilk_spawn T::make(n);
    const typename T::number y = cilk_spawn T::make(n + 1);
    auto z = cilk_spawn T::make(n + 2);
    cilk_sync;
    return x + y + z;
}

struct nothing {
    int *to;
    template <class T>
    void operator()(T x) const {
        *to = static_cast<int>(x);
    }
};

template <class T>
static T added(T a, T b) {
    T c = cilk_spawn times<T, 2>(a);
    a = b;
    T d = times<T, 3>(a);
    cilk_sync;
    return c + d;
}

template <>
int added<int>(int a, int) {
    int c = cilk_spawn times<int, 10>(a);
    cilk_sync;
    return c;
}

namespace own {
template <class T>
struct thing {
    T value;
};
// Found by the arguments' type alone.
template <class T>
void change(thing<T> &t, T by) {
    t.value = t.value + by;
}
} // namespace own

template <class T>
static void change_all(T &thing, int by) {
    cilk_spawn change(thing, by);
    cilk_sync;
}

int main() {
    std::vector<int> numbers(100);
    for (int i = 0; i < 100; ++i)
        numbers[static_cast<std::size_t>(i)] = i;
    std::vector<std::string> texts = {"a", "b", "c", "d", "e", "f", "g"};
    std::printf("%d %s\n", sum_of(numbers.data(), numbers.data() + 100),
                sum_of(texts.data(), texts.data() + 7).c_str());

    std::deque<int> deque(numbers.begin(), numbers.end());
    each(deque.begin(), deque.end(), [](int &x) { x = 2 * x; });
    each(numbers.begin(), numbers.end(), [](int &x) { x = x + 1; });
    std::printf("%d %d %d\n", deque[99], numbers[0], numbers[99]);

    int a = 0, b = 0;
    both([&] { a = 1; }, [&] { b = 2; });
    int got[3] = {};
    call_twice([&](int value, int at) { wait(), got[at] = value; }, 5, 6);
    std::printf("%d %d %d %d %d\n", a, b, got[1], got[2], spawn_pack(1, 'x', 2.5));

    box<int> one(1);
    one.add_both(2, 3);
    one.add_twice(4.5);
    box<std::string> text("x");
    text.add_both("y", "z");
    std::printf("%d %s %d\n", one.get(), text.get().c_str(), one.spawn_static(3));

    auto shared = std::make_shared<box<int>>(10);
    box<int> two(20), three(30);
    on_objects(two, &three, shared, 1);
    std::printf("%d %d %d %ld\n", two.get(), three.get(), shared->get(), made<traits>(4));

    std::printf("%ld %d\n", added(3L, 4L), added(3, 4));
    int to = 0;
    both([] {}, [&] { call_twice([&](int v, int) { nothing{&to}(v); }, 1, 1); });
    own::thing<int> thing = {5};
    change_all(thing, 2);
    std::printf("%d %d\n", to, thing.value);
    return 0;
}

/* Output:
4950 abcdefg
198 1 100
1 2 5 6 34
14 xyz 12
21 31 11 15
18 30
1 7
*/
