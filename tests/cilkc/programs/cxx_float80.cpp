// SPDX-License-Identifier: MIT
// gcc's __float80, which Clang has not.
#include <cilk/cilk.h>
#include <cstdio>

#if defined(__x86_64__) && !defined(__clang__)
typedef __float80 wide;
#else
typedef long double wide;
#define __float80 long double
#endif

static wide half(__float80 x) {
    return x / 2;
}

int main() {
    __float80 x = cilk_spawn half(3);
    wide all[4];
    __float80 y = half(5);
    cilk_sync;
    cilk_for (int i = 0; i < 4; i++)
        all[i] = half((__float80)i);
    for (int i = 0; i < 4; i++)
        all[i] = cilk_spawn half(all[i] + x);
    cilk_sync;
    std::printf("%Lg %Lg %Lg %Lg\n", (long double)x, (long double)y, (long double)all[0],
                (long double)all[3]);
    return 0;
}
/* Output:
1.5 2.5 0.75 1.5
*/
