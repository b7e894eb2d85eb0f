/* SPDX-License-Identifier: MIT */
/* A program as cilk2c makes it of one in MIT Cilk, for mit_library_test.py: prints its arguments,
 * and does what the first one says. */
#define _GNU_SOURCE
#include <cilk-lib.cilkh>

#include <saguaro/cilk_abi.h>

#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static Cilk_lockvar lock;
static long count;

/* A worker that is not bound may move between the two. */
static int knows_processor(void) {
    for (int tries = 0; tries < 100; tries++)
        if (self_CPU == sched_getcpu())
            return 1;
    return 0;
}

static void locked(void *captured, uint64_t first, uint64_t last) {
    (void)captured;
    for (; first != last; first++) {
        Cilk_lock(lock);
        count++;
        Cilk_unlock(lock);
    }
}

static int program(int argc, char **argv) {
    const char *what = argc > 1 ? argv[1] : "";
    for (int i = 1; i < argc; i++)
        printf("%d %s\n", i, argv[i]);
    printf("null %d, on a worker %d of %d\n", argv[argc] == NULL, sg_worker_id() >= 0,
           Cilk_active_size);
    if (strcmp(what, "die") == 0) {
        Cilk_die("%d is %s\n", 17, "too many");
    } else if (strcmp(what, "exit") == 0) {
        Cilk_exit(3);
    } else if (strcmp(what, "assert") == 0) {
        Cilk_assert(argc == 1);
    } else if (strcmp(what, "lock") == 0) {
        Cilk_lock_init(lock);
        sg_frame **tail;
        sg_deque *deque = sg_enter(&tail);
        sg_for(deque, tail, locked, NULL, 100000, 10);
        Cilk_fence();
        printf("count %ld\n", count);
    } else if (strcmp(what, "random") == 0) {
        Cilk_srand(5);
        int first = Cilk_rand(), second = Cilk_rand();
        Cilk_srand(5);
        printf("again %d, other %d\n", first == Cilk_rand(), first != second);
    } else if (strcmp(what, "time") == 0) {
        Cilk_time begin = Cilk_get_wall_time();
        while (Cilk_wall_time_to_sec(Cilk_get_wall_time() - begin) < 0.02) {
        }
        printf("later\n");
    } else if (strcmp(what, "self") == 0) {
        printf("self %d\n", Self >= 0 && Self < Cilk_active_size && knows_processor());
    }
    return argc == 1 ? 5 : 0;
}

/* With `contexts` first: two of them, by the interface for plain C. */
static int contexts(int argc, char **argv) {
    CilkContext *first = Cilk_init(&argc, argv);
    CilkContext *second = Cilk_init(&argc, argv);
    printf("left %d, %d workers\n", argc, Cilk_active_size);
    Cilk_terminate(first);
    printf("started %d\n", sg_c_is_started());
    Cilk_terminate(second);
    printf("started %d\n", sg_c_is_started());
    return 0;
}

int main(int argc, char *argv[]) {
    if (argc > 1 && strcmp(argv[1], "contexts") == 0) {
        argv[1] = argv[0];
        return contexts(argc - 1, argv + 1);
    }
    return sg_mit_start(argc, argv, program);
}
