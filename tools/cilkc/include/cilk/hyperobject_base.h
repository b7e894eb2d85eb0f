/* SPDX-License-Identifier: MIT */
/* What Cilk Plus's C reducers are made of, and the older OpenCilk's hyperobjects in C++. */
#pragma once

#ifdef __cplusplus

#include <cilk/cxx/hyperobject.hpp>

#else

#include <saguaro/detail/c_reducer.h>

#include <stddef.h>

typedef sg_hyper __cilkrts_hyperobject_base;

static inline void __cilkrts_hyper_create(__cilkrts_hyperobject_base *base) {
    sg_hyper_register(base);
}

static inline void __cilkrts_hyper_destroy(__cilkrts_hyperobject_base *base) {
    sg_hyper_unregister(base);
}

static inline void *__cilkrts_hyper_lookup(__cilkrts_hyperobject_base *base) {
    return sg_hyper_view(base);
}

#endif
