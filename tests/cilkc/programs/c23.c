// SPDX-License-Identifier: MIT
// options: -std=c2x
// What C23 has beyond C17, as far as the compiler behind has it: gcc 12 knows no `bool` without its
// header, no `nullptr`, no `constexpr`.
#include <cilk/cilk.h>
#include <stdbool.h>
#include <stdio.h>

#if __STDC_VERSION__ > 2020'00L
constexpr int few = 1'2;
enum digit : unsigned char { three = 3 };
typedef typeof(1L) word;
#else
#define nullptr 0
enum { few = 1'2, three = 3 };
typedef long word;
#endif

static bool odd(int n) {
    if (n < 1'0)
        return n % 2 == 1 ? true : false;
    bool x = cilk_spawn odd(n - 2);
    bool y = odd(n - 4) && true;
    cilk_sync;
    return x == y;
}

static int *none(int n) {
    if (n == 0)
        return nullptr;
    int *p = cilk_spawn none(0);
    cilk_sync;
    return p;
}

static unsigned add(int, word w) {
    bool first = false;
    unsigned x = cilk_spawn odd(few);
    cilk_spawn first = odd(3);
    cilk_sync;
    return x + 0b11 + (unsigned)w + three + first;
}

int main() {
    int a[0x1'0] = {};
    bool even[0x10] = {};
    cilk_for (int i = 0; i < 0x1'0; i++) {
        a[i] = i;
        even[i] = !odd(i);
    }
    printf("%d %d %u %d %d\n", odd(20), none(1) == nullptr, add(0, 1), a[15], even[4]);
}

/* Output:
0 1 8 15 1
*/
