// SPDX-License-Identifier: MIT
// Grain sizes of loops: constants, expressions and macros.
#include <cilk/cilk.h>
#include <stdio.h>

#define GRAIN 16
#define TIMES(n) ((n) * GRAIN)
#define TEXT(x) #x
#define GRAINSIZE(n) _Pragma(TEXT(cilk grainsize = n))

static int values[1000];

static long checksum(void) {
    long sum = 0;
    for (int i = 0; i < 1000; i++) {
        sum = (sum * 7 + values[i]) % 1000000007;
    }
    return sum;
}

int main(void) {
    int grain = 16;
#pragma cilk grainsize = 1
    cilk_for (int i = 0; i < 1000; i++) {
        values[i] = i;
    }
    printf("%ld\n", checksum());
#pragma cilk grainsize grain
    cilk_for (int i = 0; i < 1000; i++) {
        values[i] += 2;
    }
    printf("%ld\n", checksum());
#pragma cilk grainsize = grain * 1000
    cilk_for (int i = 999; i >= 0; i -= 3) {
        values[i] *= 2;
    }
    printf("%ld\n", checksum());
    _Pragma("cilk grainsize 5") _Cilk_for (int i = 0; i < 1000; ++i) {
        values[i]--;
    }
    printf("%ld\n", checksum());
#pragma cilk grainsize = GRAIN
    cilk_for (int i = 0; i < 1000; i++) {
        values[i] += 2;
    }
    printf("%ld\n", checksum());
    GRAINSIZE(TIMES(grain) + 1)
    cilk_for (int i = 0; i < 1000; i++) {
        values[i] -= 2;
    }
    printf("%ld\n", checksum());
    return 0;
}

/* Output:
284021697
692284040
948063642
243932467
652194810
243932467
*/
