/* SPDX-License-Identifier: MIT */
/* A task forks: the child goes on serially, and returns from all that its parent has begun. */
#include <cilk/cilk.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "busy.h"

enum { unit = 100 };

static int fib(int n) {
    if (n < 2)
        return n;
    int x = cilk_spawn fib(n - 1);
    int y = fib(n - 2);
    cilk_sync;
    return x + y;
}

static pid_t child = -1;

/* What of it comes after the fork runs in both processes. */
static int fork_below(int depth) {
    if (depth == 0) {
        child = fork();
        return fib(10);
    }
    int x = cilk_spawn fork_below(depth - 1);
    busy(unit);
    cilk_sync;
    return x;
}

int main(void) {
    const int x = fork_below(3);
    if (child == 0)
        _exit(x == 55 ? 0 : 1);
    int status = 0;
    if (waitpid(child, &status, 0) != child || status != 0)
        printf("the child ended with status %d\n", status);
    return 0;
}
