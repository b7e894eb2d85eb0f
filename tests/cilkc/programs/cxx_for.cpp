// SPDX-License-Identifier: MIT
// Loops: types of variables, comparisons, steps, grain sizes, what bodies may hold.
#include <array>
#include <atomic>
#include <cilk/cilk.h>
#include <cstdint>
#include <cstdio>
#include <deque>
#include <string>
#include <vector>

#define GRAIN 7
#define PARALLEL _Pragma("cilk grainsize = 3") cilk_for

static std::atomic<long> total;

static void add(long x) {
    total += x;
}

static long taken() {
    return total.exchange(0);
}

static void integers(int n, short step) {
    cilk_for (int i = 0; i < n; i++)
        add(i);
    std::printf("%ld", taken());
    cilk_for (unsigned i = 3; i <= 9u; i += 2)
        add(i);
    std::printf(" %ld", taken());
    cilk_for (long i = n; i > 0; --i)
        add(i);
    std::printf(" %ld", taken());
    cilk_for (int i = n; i >= 10; i -= step)
        add(i);
    std::printf(" %ld", taken());
    cilk_for (int i = 0; n > i; i = i + step)
        add(i);
    std::printf(" %ld", taken());
    cilk_for (int i{5}; i != 8; i = 1 + i)
        add(i);
    std::printf(" %ld", taken());
    cilk_for (unsigned char c = 250; c != 5; ++c)
        add(c);
    std::printf(" %ld", taken());
    cilk_for (unsigned i = 4294967290u; i != 6; i++)
        add(1);
    std::printf(" %ld", taken());
    cilk_for (std::int64_t i(-5); i < 5; i += 5)
        add(i);
    std::printf(" %ld", taken());
    cilk_for (std::size_t i = 3; i < 2; ++i)
        add(1);
    cilk_for (auto i = 1L; i < 4; ++i)
        add(i + static_cast<long>(sizeof i));
    std::printf(" %ld", taken());
    const int k = 2;
    cilk_for (int i = k; i < 2 * k + 1; i += k - 1)
        add(i);
    std::printf(" %ld\n", taken());
}

static void iterators() {
    std::vector<int> v(50, 2);
    cilk_for (std::vector<int>::iterator i = v.begin(); i != v.end(); ++i)
        *i += 1;
    cilk_for (auto i = v.cbegin(); i < v.cend(); i += 5)
        add(*i);
    std::printf("%ld", taken());
    std::deque<int> d(20, 4);
    cilk_for (std::deque<int>::const_iterator i = d.begin(); i != d.end(); i++)
        add(*i);
    std::printf(" %ld", taken());
    int a[10] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
    cilk_for (int *p = a; p < a + 10; p += 3)
        add(*p);
    cilk_for (int *p = a + 9; p >= a; p--)
        *p = -*p;
    std::printf(" %ld %d", taken(), a[9]);
    cilk_for (int x : v)
        add(x);
    cilk_for (int &x : a)
        x = 1;
    cilk_for (const auto &x : a)
        add(x);
    std::printf(" %ld\n", taken());
}

static void bodies(int n) {
    int grain = 4;
#pragma cilk grainsize = GRAIN
    cilk_for (int i = 0; i < n; ++i) {
        if (i % 2 == 0)
            continue;
        add(i);
    }
#pragma cilk grainsize = grain + 1
    cilk_for (int i = 0; i < n; ++i)
        cilk_for (int j = i; j < n; ++j)
            if (j == i)
                add(1);
    PARALLEL (int i = 0; i < 4; ++i) {
        for (int j = 0; j < 10; ++j) {
            if (j == 3)
                break;
            add(j);
        }
        switch (i) {
        case 0:
            add(100);
            break;
        default:
            add(1000);
        }
        auto twice = [&](int x) { return 2 * x; };
        add(twice(i));
    }
    std::printf("%ld", taken());
    cilk_for (int i = 0; i < n; ++i) {
        cilk_spawn add(i);
        cilk_spawn add(1);
        cilk_sync;
        cilk_spawn add(2);
    }
    if (n > 0)
        cilk_for (int i = 0; i < n; ++i)
            add(i);
    else
        cilk_for (int i = 0; i < n; ++i)
            add(-i);
    std::printf(" %ld\n", taken());
}

template <class T, class Container>
static void in_template(T n, const Container &c) {
    cilk_for (T i = 0; i < n; ++i)
        add(static_cast<long>(i));
    cilk_for (typename Container::const_iterator i = c.begin(); i != c.end(); ++i)
        add(static_cast<long>(i->size()));
    cilk_for (auto i = c.begin(); i < c.end(); i += 1)
        add(static_cast<long>(i->size()));
    cilk_for (const auto &x : c)
        add(static_cast<long>(x.size()));
    std::printf("%ld\n", taken());
}

struct object {
    int factor = 3;
    void run() {
        cilk_for (int i = 0; i < 10; ++i)
            add(i * factor);
        std::printf("%ld\n", taken());
    }
};

int main() {
    integers(20, 4);
    iterators();
    bodies(20);
    in_template(10u, std::vector<std::string>(5, "abc"));
    object().run();
}

/* Output:
190 24 210 48 40 18 1525 12 -5 30 9
30 80 18 -9 160
3244 440
90
135
*/
