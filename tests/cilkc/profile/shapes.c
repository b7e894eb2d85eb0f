/* SPDX-License-Identifier: MIT */
/* Computations of known work and span: the one that the argument names. */
/* clang-format takes cilk_for for a function. */
/* clang-format off */
#include <cilk/cilk.h>
#include <stdio.h>
#include <string.h>

#include "busy.h"

enum { unit = 100 };

static void loop(void) {
    #pragma cilk grainsize 1
    cilk_for (int i = 0; i < 32; i++)
        busy(unit);
}

/* 16 blocks of 2. */
static void coarse_loop(void) {
    #pragma cilk grainsize 2
    cilk_for (int i = 0; i < 32; i++)
        busy(unit / 2);
}

static void nested_loops(void) {
    #pragma cilk grainsize 1
    cilk_for (int i = 0; i < 4; i++) {
        #pragma cilk grainsize 1
        cilk_for (int j = 0; j < 8; j++)
            busy(unit);
    }
}

/* Plain functions as children. */
static void plain_children(void) {
    for (int i = 0; i < 15; i++)
        cilk_spawn busy(unit);
    busy(unit);
}

static int pair(int n) {
    if (n == 1) {
        busy(unit);
        return 1;
    }
    int x = cilk_spawn pair(n / 2);
    int y = pair(n / 2);
    cilk_sync;
    return x + y;
}

/* Through plain C, in children and in calls. */
static int (*volatile behind)(int) = pair;

static int through_c(int n) {
    return behind(n);
}

static void entries(void) {
    int x = cilk_spawn through_c(8);
    int y = through_c(8);
    cilk_sync;
    if (x + y != 16)
        puts("wrong");
}

/* One after the other. */
static void phases(void) {
    for (int i = 0; i < 4; i++)
        if (pair(4) != 4)
            puts("wrong");
}

static void blocks(void) {
    cilk_scope {
        cilk_spawn {
            busy(unit);
            busy(unit);
        }
        cilk_spawn { busy(unit); }
        busy(unit);
    }
    busy(unit);
}

static const struct {
    const char *name;
    void (*run)(void);
} shapes[] = {{"loop", loop},       {"coarse_loop", coarse_loop},
              {"nested", nested_loops}, {"plain", plain_children},
              {"pairs", entries},   {"phases", phases},
              {"blocks", blocks}};

int main(int argc, char *argv[]) {
    for (unsigned i = 0; argc > 1 && i < sizeof shapes / sizeof *shapes; i++)
        if (strcmp(argv[1], shapes[i].name) == 0)
            shapes[i].run();
    return 0;
}
