// SPDX-License-Identifier: MIT
// What cilkc++ writes, as C++14: see cxx_paths.hpp.
#include "saguaro/detail/cilk_cxx.hpp"

#include "gate/cxx_paths.hpp"

#include <cilk/reducer_opadd.h>

long fib_by_frame(long n) {
    if (::saguaro::cilk::is_outside())
        return ::saguaro::cilk::enter(
            [&]() -> long { return fib_by_frame(static_cast<long &&>(n)); });
    ::saguaro::cilk::frame f;
    try {
        ::saguaro::cilk::last_sync s(f);
        if (n < 2)
            return n;
        long x;
        f.spawn([&](auto go) {
            [&](long p) {
                if (go())
                    x = fib_by_frame(static_cast<long &&>(p));
            }(n - 1);
        });
        const long y = fib_by_frame(n - 2);
        f.sync();
        return x + y;
    } catch (...) {
        f.caught();
    }
}

long fib_by_cilk_invoke(long n) {
    if (n < 2)
        return n;
    long x, y;
    ::saguaro::cilk::invoke(
        x, y,
        [&, n](auto go, auto &result) __attribute__((always_inline)) {
            [&](long p) __attribute__((always_inline)) {
                if (go())
                    result = fib_by_cilk_invoke(p);
            }(n - 1);
        },
        [&, n]() __attribute__((always_inline)) -> long { return fib_by_cilk_invoke(n - 2); });
    return x + y;
}

long sum_by_cilk_reducers(long n) {
    constexpr long count = 8;
    cilk::reducer<cilk::op_add<long>> cells[count];
    for (long i = 0; i < n; i++)
        *cells[i % count] += 1;
    long sum = 0;
    for (auto &cell : cells)
        sum += cell.get_value();
    return sum;
}
