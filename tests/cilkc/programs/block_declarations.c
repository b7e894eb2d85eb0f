// SPDX-License-Identifier: MIT
// files: block_declarations.c
// Functions, variables and types that a block declares, in what becomes a function of its own.
#include <cilk/cilk.h>
#include <stdio.h>

static int same(int n) {
    return n;
}

static int in_loops(void) {
    double half(double), quarter(double x);
    extern int counter, table[];
    int sum(int n, int row[n]);
    static double (*const keep)(double) = half;
    static int *const start = &table[1];
    int row[3] = {1, 2, 3}, got[6] = {0};
    cilk_for (int i = 0; i < 6; i++) {
        got[i] = (int)half(i * 4) + counter + table[i % 3] + sum(3, row);
        cilk_for (int j = 0; j < 1; j++) {
            __typeof__(half(1)) h = quarter(4);
            got[i] += (int)h + (int)keep(4) + *start;
        }
    }
    int r = 0;
    for (int i = 0; i < 6; i++)
        r += got[i];
    return r;
}

static int in_blocks(void) {
    int r = 0, counted = 0;
    {
        extern double half(double x);
        cilk_spawn { r = (int)half(10); }
        cilk_scope {
            extern int counter;
            cilk_spawn counted = (int)half(8) + (int)half(2) + counter;
        }
        cilk_sync;
    }
    int half = 3;
    cilk_spawn { r += half + same(half); }
    {
        double half(double);
        cilk_spawn { counted += (int)half(20); }
    }
    cilk_sync;
    return r + counted;
}

// Each worker has its own.
static int in_threads(void) {
    extern _Thread_local int own;
    int ones = 0;
    own = 1;
    cilk_for (int i = 0; i < 1; i++)
        ones += own;
    return ones;
}

// The first lines are a function of their own.
static int before_spawns(int n) {
    double half(double x);
    extern int counter;
    if (half(n) < 1 || n > counter)
        return n;
    int x = cilk_spawn before_spawns(n - 1);
    int y = before_spawns(n - 2);
    cilk_sync;
    return x + y + (counter > 100);
}

static int before_else(int n) {
    double half(double x);
    if (n < 2) {
        return (int)half(4) + n;
    } else {
        int x = cilk_spawn before_else(n - 1);
        int y = before_else(n - 2);
        cilk_sync;
        return x + y;
    }
}

static int spawned_after_return(int n) {
    extern int counter, called_later(int n);
    if (n > counter)
        return n;
    int x = cilk_spawn called_later(n);
    int y = same(n);
    cilk_sync;
    return x + y;
}

int called_later(int n);
int called_later(int n) {
    return n + 1;
}

static int with_types(int n) {
    struct chain;
    struct pair {
        struct later *next;
        int value;
    };
    struct later {
        struct pair *back;
    };
    struct chain *first_link(int value);
    int value_of(const struct chain *link);
    struct chain *link = first_link(n);
    struct other *none = NULL;
    struct pair pair = {NULL, 1};
    struct later later = {&pair};
    pair.next = &later;
    int got[4], more = 0;
    cilk_for (int i = 0; i < 4; i++)
        got[i] = value_of(link) + i + (none != NULL) + pair.next->back->value;
    cilk_spawn { more = value_of(link) + (none != NULL) + later.back->next->back->value; }
    cilk_sync;
    return got[3] + more;
}

static int with_types_and_a_spawn(int n) {
    struct pair {
        struct later *next;
        int value;
    };
    struct later {
        struct pair *back;
    };
    struct pair pair = {NULL, 1};
    struct later later = {&pair};
    pair.next = &later;
    int x = cilk_spawn same(n), y = later.back->next->back->value;
    cilk_sync;
    return x + y;
}

int main(void) {
    printf("%d %d %d\n", in_loops(), in_blocks(), in_threads());
    printf("%d %d %d\n", before_spawns(10), before_else(3), spawned_after_return(7));
    printf("%d %d\n", with_types(7), with_types_and_a_spawn(7));
    return 0;
}

/* Output:
708 126 1
55 8 15
19 8
*/
