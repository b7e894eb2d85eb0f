// SPDX-License-Identifier: MIT
// Each place where a spawn may stand: statement, initialiser, assignment to any kind of variable,
// through a pointer to a function, and under the keywords' other names.
#include <cilk/cilk.h>
#include <stdio.h>

struct pair {
    int first;
    int second;
};

static int twice(int n) {
    return 2 * n;
}

static void store(int *to, int value) {
    *to = value;
}

static int (*chosen(int which))(int);

static int tree(int depth) {
    if (depth == 0) {
        return 1;
    }
    int left = cilk_spawn tree(depth - 1);
    int right = _Cilk_spawn tree(depth - 1);
    _Cilk_sync;
    return left + right + depth;
}

static int (*chosen(int which))(int) {
    return which == 0 ? twice : tree;
}

static int spawns(int n) {
    int a[3] = {0, 0, 0};
    struct pair p = {0, 0};
    struct pair *q = &p;
    int (*function)(int) = tree;
    int by_statement;
    int assigned;
    int *through = &a[2];
    static int constant;

    cilk_spawn store(&by_statement, n);
    cilk_spawn tree(n);
    int initialised = cilk_spawn tree(n);
    assigned = cilk_spawn twice(n + 1);
    a[0] = cilk_spawn function(n - 1);
    a[1] = cilk_spawn (*function)(n - 2);
    p.first = cilk_spawn chosen(1)(n);
    q->second = cilk_spawn chosen(0)(n);
    *through = cilk_spawn tree(n + 1);
    constant = cilk_spawn twice(21);
    cilk_sync;
    return printf("%d %d %d %d %d %d %d %d %d %d\n", by_statement, initialised, assigned, a[0],
                  a[1], a[2], p.first, p.second, constant, n);
}

int main(void) {
    for (int n = 3; n < 9; n++) {
        spawns(n);
    }
    return 0;
}

/* Output:
3 19 8 8 3 42 19 6 42 3
4 42 10 19 8 89 42 8 42 4
5 89 12 42 19 184 89 10 42 5
6 184 14 89 42 375 184 12 42 6
7 375 16 184 89 758 375 14 42 7
8 758 18 375 184 1525 758 16 42 8
*/
