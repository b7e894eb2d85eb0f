/* SPDX-License-Identifier: MIT */
/* What <cilk/cilk_api.h> says and does, for mit_library_test.py: one call a line of arguments. */
#include "saguaro/saguaro.h"

#include <cilk/cilk_api.h>

#include <stdio.h>
#include <string.h>

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
        } else {
            sg_run(nothing, NULL);
        }
    }
    printf("%d workers, started %d, number %d\n", __cilkrts_get_nworkers(),
           __cilkrts_is_initialized(), __cilkrts_get_worker_number());
    return 0;
}
