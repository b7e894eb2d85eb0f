// SPDX-License-Identifier: MIT
// exit behind a child that goes on: reducers of all dialects are in use, and exit handlers
// unregister those that must be. The program ends with its own words and its own code.
#include <cilk/cilk.h>
#include <cilk/cilk_api.h>
#include <cilk/reducer_opadd.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void zero(void *view) {
    *(long *)view = 0;
}

static void add(void *left, void *right) {
    *(long *)left += *(long *)right;
}

static long cilk_reducer(zero, add) of_the_file = 0;
static CILK_C_REDUCER_OPADD(registered, long, 0);

static void unregister(void) {
    CILK_C_UNREGISTER_REDUCER(registered);
    puts("handler");
}

static void count(void) {
    static long cilk_reducer(zero, add) of_the_function = 0;
    ++of_the_file;
    ++of_the_function;
    ++REDUCER_VIEW(registered);
}

// As long as the process lives, if anybody else can end it.
static void keep_counting(void) {
    do {
        count();
        usleep(10);
    } while (__cilkrts_get_nworkers() > 1);
}

static void leave(void) {
    count();
    puts("leaving");
    exit(0);
}

int main(void) {
    CILK_C_REGISTER_REDUCER(registered);
    atexit(unregister);
    cilk_spawn keep_counting();
    leave();
    cilk_sync;
    return 0;
}

/* Output:
leaving
handler
*/
