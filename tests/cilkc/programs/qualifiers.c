// SPDX-License-Identifier: MIT
// Variables that are const, volatile, register, static, of anonymous and local types, and typedefs
// that hide names.
#include <cilk/cilk.h>
#include <stdio.h>

typedef int number;
typedef number (*operation)(number);

static number same(number n) {
    return n;
}

static number step(const number n) {
    const struct {
        int a;
        int b;
    } local = {n, n + 1};
    enum { more = 3 };
    typedef struct inner {
        long l;
    } inner;
    volatile int seen = 0;
    register int fast = n * 2;
    static const int primes[] = {2, 3, 5, 7};
    const char *const text = "text";
    const number *restrict place = primes;
    operation op = same;
    const int first = cilk_spawn op(local.a);
    seen = seen + 1;
    inner boxed = {fast};
    boxed.l = cilk_spawn same(fast + 1);
    number number = cilk_spawn same(primes[n % 4]);
    seen = seen + more;
    cilk_sync;
    return first + local.b + (int)boxed.l + number + seen + fast + text[1] + place[0];
}

int main(void) {
    for (int n = 0; n < 5; n++) {
        printf("%d\n", step(n));
    }
    return 0;
}

/* Output:
111
118
126
134
135
*/
