/* SPDX-License-Identifier: MIT */
/* Compile a Cilk program with -Dsg_pop=sg_plain_pop -include this file: its pops then wait for a
 * thief, now and then, as forced/pop.c says. */
#pragma once

#include <saguaro/cilk_abi.h>

#undef sg_pop

void sg_test_before_pop(sg_deque *deque, sg_frame **tail);

static inline int sg_pop(sg_deque *deque, sg_frame **tail) {
    sg_test_before_pop(deque, tail);
    return sg_plain_pop(deque, tail);
}
