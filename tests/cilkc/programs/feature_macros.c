// SPDX-License-Identifier: MIT
// options: -std=c11
// A program that says at its top what it wants of the C library: nothing comes before that.
#define _GNU_SOURCE
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cilk/cilk.h>

static int length(const char *text) {
    return (int)strlen(text);
}

static int here(void) {
    cpu_set_t set;
    char *text;
    CPU_ZERO(&set);
    CPU_SET(3, &set);
    if (asprintf(&text, "%d", CPU_COUNT(&set)) < 0) {
        return -1;
    }
    int found = cilk_spawn length(text);
    char copy[4];
    char *end = mempcpy(copy, text, 2);
    cilk_sync;
    free(text);
    return found * 10 + (int)(end - copy);
}

int main(void) {
    printf("%d\n", here());
    return 0;
}

/* Output:
12
*/
