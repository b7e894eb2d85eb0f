// SPDX-License-Identifier: MIT
// The loops of text.hpp.
#pragma once

#include "saguaro/detail/cilk_cxx.hpp"

#include "cilk/cxx/hooks.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "cilk/cxx/activation.hpp"

namespace {

// ---- Loops

using ::saguaro::cilk::loop;
using ::saguaro::cilk::until;

// The sum of the visited values, each multiplied by 1 or by itself, and their number: the same as
// those of the serial loop.
template <class I>
struct visits {
    std::atomic<std::uint64_t> count{0}, sum{0}, squares{0};

    void operator()(I i) {
        const std::uint64_t n = static_cast<std::uint64_t>(i);
        ++count;
        sum += n;
        squares += n * n;
    }
    friend bool operator==(const visits &a, const visits &b) {
        return a.count == b.count && a.sum == b.sum && a.squares == b.squares;
    }
};

// One loop, in serial and in parallel. `up` is the step, or `down` if the source says `i -= step`.
#define SAME_LOOP(I, first, OP, how, last, UPDATE, step, down)                                     \
    do {                                                                                           \
        visits<I> serial, parallel;                                                                \
        for (I i = static_cast<I>(first); i OP(last);                                              \
             i = static_cast<I>(i UPDATE static_cast<I>(step)))                                    \
            serial(i);                                                                             \
        loop<until::how>(0, I(static_cast<I>(first)), last, step, down,                            \
                         [&](I i) { parallel(i); });                                               \
        EXPECT_TRUE(serial == parallel) << #I " " #first " " #OP " " #last " by " #step;           \
        visits<I> coarse;                                                                          \
        loop<until::how>(7, I(static_cast<I>(first)), last, step, down, [&](I i) { coarse(i); });  \
        EXPECT_TRUE(serial == coarse) << #I " " #first " " #OP " " #last " by " #step ", grain 7"; \
    } while (0)

template <class I>
void loops_over() {
    SAME_LOOP(I, 3, <, less, 100, +, 1, false);
    SAME_LOOP(I, 3, <, less, 100, +, 7, false);
    SAME_LOOP(I, 3, <, less, 3, +, 1, false);
    SAME_LOOP(I, 9, <, less, 3, +, 1, false);
    SAME_LOOP(I, 3, <=, less_equal, 100, +, 1, false);
    SAME_LOOP(I, 2, <=, less_equal, 100, +, 7, false);
    SAME_LOOP(I, 3, <=, less_equal, 3, +, 5, false);
    SAME_LOOP(I, 9, <=, less_equal, 3, +, 5, false);
    SAME_LOOP(I, 100, >, greater, 3, -, 1, true);
    SAME_LOOP(I, 100, >, greater, 2, -, 7, true);
    SAME_LOOP(I, 3, >, greater, 100, -, 1, true);
    SAME_LOOP(I, 100, >=, greater_equal, 3, -, 1, true);
    SAME_LOOP(I, 100, >=, greater_equal, 3, -, 7, true);
    SAME_LOOP(I, 5, !=, unequal, 100, +, 5, false);
    SAME_LOOP(I, 100, !=, unequal, 5, -, 5, true);
    SAME_LOOP(I, 100, !=, unequal, 100, -, 5, true);
    SAME_LOOP(I, 0, <, less, 5000> static_cast<I>(100) ? 100 : 5000, +, 1, false);
}

template <class I>
void signed_loops_over() {
    loops_over<I>();
    SAME_LOOP(I, -100, <, less, 100, +, 1, false);
    SAME_LOOP(I, -100, <=, less_equal, 100, +, 3, false);
    SAME_LOOP(I, 100, >, greater, -100, +, -3, false);
    SAME_LOOP(I, 100, >=, greater_equal, -100, +, -4, false);
    SAME_LOOP(I, 100, !=, unequal, -100, -, 4, true);
}

// != wraps at the variable's own width.
template <class I>
void wrapping_loops_over() {
    const I first = static_cast<I>(-5);
    SAME_LOOP(I, first, !=, unequal, static_cast<I>(4), +, 1, false);
    SAME_LOOP(I, first, !=, unequal, static_cast<I>(4), +, 3, false);
    SAME_LOOP(I, 4, !=, unequal, first, -, 1, true);
}

// A limit that is no integer. The serial loops convert as well.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#if defined(__clang__)
#pragma GCC diagnostic ignored "-Wimplicit-int-float-conversion"
#endif
template <class I>
void real_limits_over() {
    SAME_LOOP(I, 0, <, less, 2.5, +, 1, false);
    SAME_LOOP(I, 0, <, less, 3.0, +, 1, false);
    SAME_LOOP(I, 1, <, less, 30.25F, +, 3, false);
    SAME_LOOP(I, 0, <=, less_equal, 2.5, +, 1, false);
    SAME_LOOP(I, 0, <=, less_equal, 3.0L, +, 1, false);
    SAME_LOOP(I, 9, <, less, 2.5, +, 1, false);
    SAME_LOOP(I, 30, >, greater, 0.5, -, 1, true);
    SAME_LOOP(I, 30, >, greater, 3.0, -, 4, true);
    SAME_LOOP(I, 3, >=, greater_equal, 0.5, -, 1, true);
    SAME_LOOP(I, 30, >=, greater_equal, 3.0F, -, 4, true);
}

struct half {
    operator double() const { return 2.5; }
};

void real_limits() {
    real_limits_over<signed char>();
    real_limits_over<int>();
    real_limits_over<long>();
    real_limits_over<unsigned char>();
    real_limits_over<unsigned>();
    real_limits_over<unsigned long>();
    real_limits_over<::saguaro::cilk::signed_128>();
    SAME_LOOP(int, -3, <, less, -0.5, +, 1, false);
    SAME_LOOP(int, 3, >=, greater_equal, -2.5, +, -1, false);
    SAME_LOOP(int, 0, <, less, half(), +, 1, false);
    // As a float the next value is equal as well.
    SAME_LOOP(int, 16777200, <=, less_equal, 16777216.0F, +, 1, false);
    SAME_LOOP(std::int8_t, 100, <, less, 127.0, +, 1, false);
    SAME_LOOP(std::uint8_t, 21, >, greater, 0.0, -, 3, true);
}

#pragma GCC diagnostic pop

// Constants without a definition, used without a capture.
struct constants {
    static const int limit = 40, step = 3;
    enum named { last = 20 };
};

void constant_limits() {
    int sum = 0;
    std::atomic<int> count{0};
    loop<until::less>(0, 0, (constants::limit), constants::step, false, [&](int) { ++count; });
    EXPECT_EQ(count, 14);
    const int limit = 20, step = 2;
    [&count] {
        loop<until::less>(0, 0, limit, step, false, [&](int) { ++count; });
        loop<until::less>(0, 0, constants::last, 1, false, [&](int) { ++count; });
    }();
    EXPECT_EQ(count, 44);
    // Neither of these is copied.
    std::atomic<int> shared{5};
    loop<until::less>(0, 0, shared, 1, false, [&](int) { ++count; });
    EXPECT_EQ(count, 49);
    int array[3] = {1, 2, 3};
    loop<until::unequal>(1000, static_cast<int *>(array), array + 3, 1, false,
                         [&](int *i) { sum += *i; });
    int none[1] = {};
    loop<until::greater>(0, static_cast<int *>(none) + 1, none, 1, true,
                         [&](int *i) { sum += i[-1] = 1; });
    EXPECT_EQ(sum, 7);
}

struct strided {
    int number;
    char rest[20];
};

void loops() {
    real_limits();
    constant_limits();
    signed_loops_over<signed char>();
    signed_loops_over<short>();
    signed_loops_over<int>();
    signed_loops_over<long>();
    signed_loops_over<long long>();
    signed_loops_over<::saguaro::cilk::signed_128>();
    loops_over<char>();
    loops_over<unsigned char>();
    loops_over<unsigned short>();
    loops_over<char16_t>();
    loops_over<wchar_t>();
    loops_over<unsigned>();
    loops_over<unsigned long>();
    loops_over<unsigned long long>();
    loops_over<::saguaro::cilk::unsigned_128>();
    wrapping_loops_over<unsigned char>();
    wrapping_loops_over<unsigned short>();
    wrapping_loops_over<char16_t>();
    wrapping_loops_over<unsigned>();
    wrapping_loops_over<unsigned long>();

    // Bounds of another type than the variable, at the ends of both.
    SAME_LOOP(std::size_t, 0, <, less, 50U, +, 1, false);
    SAME_LOOP(std::uint8_t, 200, <, less, 250, +, 1, false);
    SAME_LOOP(long, 2147483640L, <=, less_equal, 2147483660L, +, 4, false);
    SAME_LOOP(std::uint64_t, UINT64_MAX - 40, <, less, UINT64_MAX, +, 1, false);
    SAME_LOOP(std::int64_t, INT64_MIN, <, less, INT64_MIN + 40, +, 1, false);
    {
        visits<int> mixed;
        const std::size_t size = 50;
        loop<until::less>(0, 0, size, 1, false, [&](int i) { mixed(i); });
        EXPECT_EQ(mixed.sum, 1225u);
        visits<int> all;
        loop<until::less_equal>(0, INT32_MAX - 9, INT32_MAX, 1, false, [&](int i) { all(i); });
        EXPECT_EQ(all.count, 10u);
        visits<long> strides;
        const long step = INT64_MAX / 4;
        loop<until::less>(0, INT64_MIN, INT64_MAX, step, false, [&](long i) { strides(i); });
        EXPECT_EQ(strides.count, 9u);
    }

    // Pointers and iterators; the body may change the variable, which is its own.
    strided items[60] = {};
    loop<until::less>(0, items + 0, items + 60, 1, false, [&](strided *i) { (i++)->number += 1; });
    loop<until::unequal>(0, items + 0, items + 60, 3, false, [&](strided *i) { i->number += 2; });
    loop<until::greater_equal>(0, items + 59, items + 0, 2, true,
                               [&](strided *i) { i->number += 4; });
    for (int i = 0; i < 60; ++i)
        EXPECT_EQ(items[i].number, 1 + (i % 3 == 0 ? 2 : 0) + (i % 2 == 1 ? 4 : 0)) << i;
    std::vector<int> cells(300);
    loop<until::unequal>(5, cells.begin(), cells.cend(), 1, false,
                         [&](std::vector<int>::iterator i) { ++*i; });
    loop<until::less>(0, cells.begin(), cells.end(), 2, false,
                      [&](std::vector<int>::iterator i) { *i += 2; });
    loop<until::unequal>(0, cells.end(), cells.begin(), 1, true,
                         [&](std::vector<int>::iterator i) { i[-1] += 4; });
    for (int i = 0; i < 300; ++i)
        EXPECT_EQ(cells[static_cast<std::size_t>(i)], 5 + (i % 2 == 0 ? 2 : 0));

    // A body that spawns.
    std::atomic<int> ran{0};
    loop<until::less>(0, 0, 40, 1, false, [&](int i) {
        ::saguaro::cilk::frame f;
        TRY {
            ::saguaro::cilk::last_sync s(f);
            f.spawn([&](auto go) {
                [&](int p) {
                    if (go())
                        ran += p;
                }(i);
            });
        }
        CATCH(f)
    });
    EXPECT_EQ(ran, 780);
}

struct own_range {
    int cells[40] = {};
};
int *begin(own_range &r) {
    return r.cells;
}
int *end(own_range &r) {
    return r.cells + 40;
}

void ranges() {
    using ::saguaro::cilk::for_each_in;
    std::vector<int> v(100, 1);
    for_each_in(0, v, [&](auto &&x) { x += 1; });
    EXPECT_EQ(v, std::vector<int>(100, 2));
    int array[7] = {1, 2, 3, 4, 5, 6, 7};
    std::atomic<int> sum{0};
    for_each_in(2, array, [&](const auto &x) { sum += x; });
    EXPECT_EQ(sum, 28);
    own_range r;
    for_each_in(0, r, [&](int &x) { x = 3; });
    for (const int x : r.cells)
        EXPECT_EQ(x, 3);
    for_each_in(0, std::vector<int>{4, 5}, [&](auto &&x) { sum += x; });
    EXPECT_EQ(sum, 37);
}

} // namespace
