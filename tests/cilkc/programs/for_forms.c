// SPDX-License-Identifier: MIT
// Every comparison, every step, integer types of each size, and pointers.
#include <cilk/cilk.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { size = 300 };
static unsigned char seen[size];

static void report(const char *form) {
    unsigned long hash = 5381;
    int count = 0;
    for (int i = 0; i < size; i++) {
        hash = (hash * 33 + seen[i]) & 0xffffffff;
        count += seen[i];
    }
    printf("%-24s %3d %08lx\n", form, count, hash);
    memset(seen, 0, sizeof seen);
}

static void comparisons(void) {
    cilk_for (int i = 0; i < 250; i++) {
        seen[i]++;
    }
    report("i < n; i++");
    cilk_for (int i = 7; i <= 250; ++i) {
        seen[i]++;
    }
    report("i <= n; ++i");
    cilk_for (int i = 250; i > 3; i--) {
        seen[i]++;
    }
    report("i > n; i--");
    cilk_for (int i = 250; i >= 0; --i) {
        seen[i]++;
    }
    report("i >= n; --i");
    cilk_for (int i = 11; i != 200; i++) {
        seen[i]++;
    }
    report("i != n; i++");
    cilk_for (int i = 200; i != 11; i--) {
        seen[i]++;
    }
    report("i != n; i--");
    cilk_for (int i = 0; 250 > i; i++) {
        seen[i]++;
    }
    report("n > i; i++");
    cilk_for (int i = 9; i < 9; i++) {
        seen[i]++;
    }
    report("none");
}

static void steps(int n, int step) {
    cilk_for (int i = 0; i < n; i += 3) {
        seen[i]++;
    }
    report("i += 3");
    cilk_for (int i = n; i > 0; i -= step) {
        seen[i]++;
    }
    report("i -= step");
    cilk_for (int i = n; i > 0; i += -7) {
        seen[i]++;
    }
    report("i += -7");
    cilk_for (int i = 1; i <= n; i += 2 * step) {
        seen[i]++;
    }
    report("i += 2 * step");
    cilk_for (int i = 4; i != 250; i += 6) {
        seen[i]++;
    }
    report("i != n; i += 6");
}

static void types(void) {
    cilk_for (signed char i = -100; i < 100; i++) {
        seen[i + 100]++;
    }
    report("signed char");
    cilk_for (unsigned char i = 0; i < 255; i++) {
        seen[i]++;
    }
    report("unsigned char");
    cilk_for (short i = 290; i >= 20; i -= 10) {
        seen[i]++;
    }
    report("short");
    cilk_for (unsigned i = 5; i < 205U; i++) {
        seen[i]++;
    }
    report("unsigned");
    cilk_for (long i = -150; i < 150L; i += 2) {
        seen[i + 150]++;
    }
    report("long");
    cilk_for (uint64_t i = UINT64_MAX - 100; i < UINT64_MAX; i++) {
        seen[UINT64_MAX - i]++;
    }
    report("uint64_t");
    cilk_for (int64_t i = INT64_MIN; i < INT64_MIN + 50; i++) {
        seen[i - INT64_MIN]++;
    }
    report("int64_t");
    cilk_for (size_t i = 0; i < sizeof seen; i++) {
        seen[i]++;
    }
    report("size_t");
    cilk_for (unsigned char *p = seen; p < seen + size; p++) {
        ++*p;
    }
    report("pointer");
    cilk_for (unsigned char *p = seen + size - 1; p >= seen + 20; p -= 4) {
        ++*p;
    }
    report("pointer down");
    cilk_for (const unsigned char *p = seen; p != seen + size; p += 5) {
        seen[p - seen] = 2;
    }
    report("pointer !=");
}

int main(void) {
    comparisons();
    steps(251, 4);
    types();
    return 0;
}

/* Output:
i < n; i++               250 1eb5b69f
i <= n; ++i              244 c4c691b9
i > n; i--               247 671a77fc
i >= n; --i              251 85041cc0
i != n; i++              189 2f8c5082
i != n; i--              189 667ac4e2
n > i; i++               250 1eb5b69f
none                       0 68323885
i += 3                    84 3a53b919
i -= step                 63 20e1bb44
i += -7                   36 d368ffe9
i += 2 * step             32 162e70a5
i != n; i += 6            41 4a0d1d8e
signed char              200 2db114cd
unsigned char            255 8c66dc04
short                     28 598508a1
unsigned                 200 461c47cd
long                     150 ee90c99b
uint64_t                 100 57aaa329
int64_t                   50 70fd3c57
size_t                   300 40368ff1
pointer                  300 40368ff1
pointer down              70 3b1c584b
pointer !=               120 6d27197d
*/
