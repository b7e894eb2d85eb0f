/* SPDX-License-Identifier: MIT */
/* Nested runs entered from C. */
#include "run_from_c.h"

#include "saguaro/saguaro.h"

struct call {
    int n;
    long sum;
};

static void sum_up(void *argument) {
    struct call *c = argument;
    if (sg_worker_id() < 0) {
        c->sum = -1;
        return;
    }
    if (c->n == 0) {
        c->sum = 0;
        return;
    }
    struct call rest = {c->n - 1, 0};
    sg_run(sum_up, &rest);
    c->sum = rest.sum < 0 ? -1 : rest.sum + c->n;
}

long sum_in_nested_runs(int n) {
    struct call c = {n, 0};
    sg_run(sum_up, &c);
    return c.sum;
}
