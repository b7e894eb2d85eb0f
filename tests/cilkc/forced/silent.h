/* SPDX-License-Identifier: MIT */
/* Compile a Cilk program with -cilk-profile, -Dsg_profile_dozes=sg_plain_dozes,
 * -Dsg_profile_still_dozes=sg_plain_still_dozes, -Dsg_profile_dozes_on=sg_plain_dozes_on and
 * -include this file: what functions spawn then runs as silent clones. */
#pragma once

#include <saguaro/cilk_abi.h>
#include <saguaro/detail/cilk_profile.h>

#undef sg_profile_dozes
#undef sg_profile_still_dozes
#undef sg_profile_dozes_on

static inline int sg_profile_dozes(void) {
    return 1;
}

static inline int sg_profile_still_dozes(void) {
    return 1;
}

static inline int sg_profile_dozes_on(void) {
    return 1;
}
