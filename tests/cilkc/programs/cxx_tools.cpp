// SPDX-License-Identifier: MIT
// options: -std=c++11 -Wall -Werror -Wno-unknown-pragmas
// OpenCilk's headers of tools in C++, and pragmas before a cilk_for that mean nothing to it.
#include <cilk/cilk.h>
#include <cilk/cilksan.h>
#include <cilk/cilkscale.h>
#include <iostream>

static int squares[100], doubles[100], sums[100];

int main() {
    wsp_t two = {2000000000, 500000000, 500000000};
    wsp_t one = two - wsp_t{1000000000, 250000000, 250000000};
    two += one;
    std::cout << one << "; " << two + one << "; " << (two -= one) << "; " << wsp_zero() << '\n';
    const wsp_t begin = wsp_getworkspan();
#pragma GCC ivdep
    cilk_for (int i = 0; i < 100; ++i)
        squares[i] = i * i;
#pragma GCC diagnostic ignored "-Wunknown-pragmas"
#pragma  GCC  unroll 4
    cilk_for (int i = 0; i < 100; ++i)
        doubles[i] = 2 * i;
    wsp_dump(wsp_getworkspan() - begin, "loops");
    _Pragma("GCC ivdep") cilk_for (int i = 0; i < 100; ++i) {
#pragma GCC ivdep
        for (int k = 0; k <= i; ++k)
            sums[i] += squares[k] + doubles[k];
    }
    Cilksan_fake_mutex only_said;
    cilk_for (int i = 0; i < 100; ++i) {
        const Cilksan_fake_lock_guard guard(&only_said);
        doubles[i] += 1;
    }
    std::cout << sums[99] << ' ' << doubles[99] << '\n';
}

/* Output:
1, 0.25, 4; 4, 1, 4; 2, 0.5, 4; 0, 0, 1
338250 199
*/
