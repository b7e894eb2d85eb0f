/* SPDX-License-Identifier: MIT */
/* What Cilk Plus's C reducers are made of. */
#pragma once

#include <saguaro/detail/c_reducer.h>

#include <stddef.h>

typedef sg_hyper __cilkrts_hyperobject_base;

/* For CILK_C_INIT_REDUCER: the views need no end. */
#define __cilkrts_hyperobject_noop_destroy ((void (*)(void *, void *))0)

static inline void __cilkrts_hyper_create(__cilkrts_hyperobject_base *base) {
    sg_hyper_register(base);
}

static inline void __cilkrts_hyper_destroy(__cilkrts_hyperobject_base *base) {
    sg_hyper_unregister(base);
}

static inline void *__cilkrts_hyper_lookup(__cilkrts_hyperobject_base *base) {
    return sg_hyper_view(base);
}
