// SPDX-License-Identifier: MIT
// environment: CILK_NWORKERS=3
// The functions of cilk_api.h, in a program whose number of workers the environment names.
#include <cilk/cilk.h>
#include <cilk/cilk_api.h>
#include <stdio.h>

static int in_range(int depth, int workers) {
    int own = __cilkrts_get_worker_number();
    int good = own >= 0 && own < workers;
    if (depth == 0) {
        return good;
    }
    int left = cilk_spawn in_range(depth - 1, workers);
    int right = in_range(depth - 1, workers);
    cilk_sync;
    return good && left && right;
}

int main(void) {
    int workers = __cilkrts_get_nworkers();
    printf("%d workers, numbers in range: %d\n", workers, in_range(8, workers));
    return 0;
}

/* Output:
3 workers, numbers in range: 1
*/
