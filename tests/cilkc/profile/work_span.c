/* SPDX-License-Identifier: MIT */
/* clang-format takes cilk_for for a function. */
/* clang-format off */
/* <cilk/cilkscale.h>: a function measures a part of itself, and main, which spawns nothing, what it
 * calls. Four children of 100 µs each. */
#include <cilk/cilk.h>
#include <cilk/cilksan.h>
#include <cilk/cilkscale.h>
#include <stdio.h>

#include "busy.h"

enum { unit = 100 };

static void wait_a_unit(void) {
    busy(unit);
}

static void four(void) {
    for (int i = 0; i < 4; i++)
        cilk_spawn wait_a_unit();
}

static void measured(void) {
    four();
    const wsp_t before = wsp_getworkspan();
    four();
    const wsp_t between = wsp_getworkspan();
    cilk_for (int i = 0; i < 4; i++)
        busy(unit);
    const wsp_t after = wsp_getworkspan();
    wsp_dump(wsp_sub(between, before), "children");
    wsp_dump(wsp_add(wsp_sub(after, between), wsp_zero()), "loop");
}

/* Each part by itself. */
static int sums_are_right(void) {
    const wsp_t left = {1, 20, 300}, right = {4, 50, 600};
    const wsp_t sum = wsp_add(left, right), rest = wsp_sub(sum, right);
    return sum.work == 5 && sum.span == 70 && sum.bspan == 900 && rest.work == 1 &&
           rest.span == 20 && rest.bspan == 300;
}

int main(void) {
    if (!sums_are_right())
        return 1;
    const wsp_t before = wsp_getworkspan();
    four();
    const wsp_t after = wsp_getworkspan();
    wsp_dump(wsp_sub(after, before), "main");
    measured();
    __cilksan_disable_checking();
#ifdef __cilkscale__
    puts("measured");
#else
    printf("%d %d\n", (int)after.work, __cilksan_is_checking_enabled());
#endif
    return 0;
}
