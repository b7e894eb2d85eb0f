// SPDX-License-Identifier: MIT
// options: -static-libsaguaro
// serial: differs
// Programs declare the runtime's functions themselves, before its header or without it, and may
// define one of their own.
#include <cilk/cilk.h>
#include <stdio.h>

extern int __cilkrts_set_param(const char *name, const char *value);
int __cilkrts_get_worker_number(void);

#include <cilk/cilk_api.h>

extern int __cilkrts_get_nworkers(void);
void __cilkrts_init(void);
extern void __cilkrts_end_cilk(void);
int __cilkrts_is_initialized(void);
int __cilkrts_running_on_workers(void);

int __cilkrts_get_total_workers(void) {
    return 77;
}

static int in_range(int depth, int workers) {
    int own = __cilkrts_get_worker_number();
    int good = own >= 0 && own < workers && __cilkrts_running_on_workers();
    if (depth == 0)
        return good;
    int left = cilk_spawn in_range(depth - 1, workers);
    int right = in_range(depth - 1, workers);
    cilk_sync;
    return good && left && right;
}

int main(void) {
    int set = __cilkrts_set_param("nworkers", "3");
    printf("%d %d %d\n", set, __cilkrts_get_nworkers(), in_range(6, 3));
    __cilkrts_end_cilk();
    printf("%d ", __cilkrts_is_initialized());
    __cilkrts_init();
    printf("%d %d\n", __cilkrts_is_initialized(), __cilkrts_get_total_workers());
    return 0;
}

/* Output:
0 3 1
0 1 77
*/
