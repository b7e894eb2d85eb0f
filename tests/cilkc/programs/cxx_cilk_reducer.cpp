// SPDX-License-Identifier: MIT
// options: -std=c++17
// OpenCilk's reducers: as variables, members, elements and types, and behind pointers and
// references.
#include <cstdio>
#include <new>
#include <string>
#include <utility>
#include <vector>

// As OpenCilk's own example has it, whose header does not include Cilk's.
template <typename View>
struct wrapped final {
private:
    static void identity(void *view) { new (view) View(); }
    static void reduce(void *left_v, void *right_v) {
        View *left = static_cast<View *>(left_v);
        View *right = static_cast<View *>(right_v);
        left->reduce(right);
        right->~View();
    }

public:
    template <typename... Args>
    wrapped(Args... args) : leftmost(args...) {}
    View &view() { return leftmost; }
    const View &get() const { return this->leftmost; }
    void swap_in(wrapped &other) { std::swap(leftmost, other.leftmost); }

private:
    View cilk_reducer(identity, reduce) leftmost;
};

#include <cilk/cilk.h>

static void zero(void *v) {
    *static_cast<long *>(v) = 0;
}
static void add(void *l, void *r) {
    *static_cast<long *>(l) += *static_cast<long *>(r);
}

template <class T>
void empty(void *v) {
    new (v) T();
}
template <class T, class U = T>
void append(void *l, void *r) {
    T &left = *static_cast<T *>(l);
    T &right = *static_cast<T *>(r);
    left.insert(left.end(), right.begin(), right.end());
    right.~T();
}

using sum_t = long cilk_reducer(zero, add);
template <class T>
using list_of = std::vector<T> cilk_reducer(empty<std::vector<T>>, append<std::vector<T>, T>);

static long cilk_reducer(zero, add) total = 7;
static unsigned char pad[3];
sum_t several[2];
extern sum_t later;

struct counted {
    counted() { ++alive; }
    counted(long v) : value(v) { ++alive; }
    counted(const counted &other) : value(other.value) { ++alive; }
    ~counted() { --alive; }
    counted &operator=(const counted &) = default;
    void reduce(counted *right) { value += right->value; }
    long value = 0;
    static long alive;
};
long counted::alive = 0;

struct pair_of_sums {
    sum_t first{1};
    sum_t second = 2;
    std::string cilk_reducer(empty<std::string>, append<std::string>) text{'a', 'b'};
    pair_of_sums *self = this;

    explicit pair_of_sums(long n) : second{n} {}
    sum_t &of(int i) { return i % 2 == 0 ? first : second; }
    void go(int i) {
        of(i) += i;
        self->of(i + 1) += 2 * i;
        if (i % 64 == 0)
            text += 'x', self->text.push_back(static_cast<char>('0' + i / 64 % 10));
    }
};

static void up(sum_t &to, int n) {
    to += n;
    ++to;
}
static void up_by_pointer(sum_t *to, int n) {
    *to += n;
    (*to)++;
    to[0] -= 1;
}
static void up_view(long &view) {
    view += 1;
}
static long twice(long n) {
    return 2 * n;
}
template <class T>
static void up_any(T &to) {
    to += 1;
}

static void tree(sum_t &to, list_of<int> &leaves, int low, int high) {
    if (high - low == 1) {
        up(to, low);
        leaves.push_back(low);
        return;
    }
    cilk_spawn tree(to, leaves, low, (low + high) / 2);
    tree(to, leaves, (low + high) / 2, high);
    cilk_sync;
}

int main() {
    list_of<int> leaves = {-2, -1};
    sum_t local = 0;
    tree(local, leaves, 0, 1000);
    bool in_order = leaves.size() == 1002;
    for (std::size_t i = 0; i < leaves.size(); ++i)
        in_order = in_order && leaves[i] == static_cast<int>(i) - 2;
    std::printf("%ld %d\n", static_cast<long>(local), in_order);

    wrapped<counted> sum(100);
    wrapped<counted> other;
    cilk_for (long i = 0; i < 10000; ++i)
        ++sum.view().value;
    sum.swap_in(other);
    std::printf("%ld %ld %ld\n", sum.get().value, other.view().value, counted::alive);

    pair_of_sums pair(10);
    cilk_for (int i = 0; i < 512; ++i)
        pair.go(i);
    std::printf("%ld %ld %s\n", pair.first + 0L, pair.second * 1L, pair.text.c_str());

    sum_t *heap = new sum_t(5);
    auto same = heap;
    cilk_for (int i = 0; i < 1000; ++i) {
        up_by_pointer(i % 2 ? heap : &total, i);
        up_by_pointer(__builtin_addressof(total), 1);
        up_view(total);
        up_view(*same);
        up_any(several[i % 2]);
        auto &view = several[1];
        view += 2;
        later += i;
        long *address = &later;
        ++*address;
        [&, &renamed = several[0]] { renamed += 1, total -= 1; }();
    }
    long *first = reinterpret_cast<long *>(__builtin_addressof(total));
    std::printf("%ld %ld %ld %ld %ld %d\n", *heap + 0, total + 0, several[0] + 0, several[1] + 0,
                later + 0, first == &total);
    *first += 1;
    decltype(total) copy = total;
    cilk_spawn up_view(copy);
    copy += 0;
    cilk_sync;
    long x = cilk_spawn twice(copy);
    copy = copy + 1;
    cilk_sync;
    copy = cilk_spawn twice(copy);
    cilk_sync;
    std::printf("%zu %d %ld %ld %d\n", sizeof(copy), same == heap, x, copy + 0, heap != &copy);
    delete heap;
    (void)pad;
}

sum_t later = 3;

/* Output:
500500 1
0 10100 2
196353 196106 abx0x1x2x3x4x5x6x7
251005 250507 1500 2500 500503 1
8 1 501018 501020 1
*/
