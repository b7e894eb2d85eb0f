/* SPDX-License-Identifier: MIT */
/* What <cilk/cilk_api.h> says and does, for mit_library_test.py: one call a line of arguments. */
#define _GNU_SOURCE /* syscall */
#include "saguaro/saguaro.h"

#include <cilk/cilk_api.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The library's own calls as well. */
static int opened;
static int counted_open(const char *path, int flags) {
    opened++;
    return (int)syscall(SYS_openat, AT_FDCWD, path, flags, 0);
}
int open(const char *path, int flags, ...) {
    return counted_open(path, flags);
}
int open64(const char *path, int flags, ...) {
    return counted_open(path, flags);
}

/* Asks twice for the workers: how many files that opens. */
static void count_files(const char *when) {
    opened = 0;
    const int workers = __cilkrts_get_nworkers();
    const int first = opened;
    printf("%s: %s, then %d files, %s\n", when, first > 0 ? "some" : "none",
           (__cilkrts_get_nworkers(), opened - first),
           workers == __cilkrts_get_nworkers() ? "the same" : "others");
}

static void nothing(void *unused) {
    (void)unused;
    printf("worker %d\n", __cilkrts_running_on_workers());
}

int main(int argc, char *argv[]) {
    for (int i = 1; i < argc; i++) {
        char *value = strchr(argv[i], '=');
        if (value != NULL) {
            *value++ = '\0';
            printf("%s %s: %d\n", argv[i], value, __cilkrts_set_param(argv[i], value));
        } else if (strcmp(argv[i], "init") == 0) {
            __cilkrts_init();
        } else if (strcmp(argv[i], "end") == 0) {
            __cilkrts_end_cilk();
        } else if (strcmp(argv[i], "files") == 0) {
            count_files("at first");
            setenv("SAGUARO_CPUS", "0", 1);
            count_files("another setting");
            printf("%d workers on one processor\n", __cilkrts_get_nworkers());
        } else {
            sg_run(nothing, NULL);
        }
    }
    printf("%d workers, started %d, number %d\n", __cilkrts_get_nworkers(),
           __cilkrts_is_initialized(), __cilkrts_get_worker_number());
    return 0;
}
