/* SPDX-License-Identifier: MIT */
/* Values added up: Cilk Plus's reducer. See <cilk/reducer.h>. */
#pragma once

#ifdef __cplusplus

#include <cilk/cxx/opadd.hpp>

#endif

#include <cilk/c_reducer_types.h>
#include <cilk/reducer.h>

/* The type of such a reducer; `tn` is the name of its value's type: int, uint, longlong, ... */
#define CILK_C_REDUCER_OPADD_TYPE(tn) __CILKRTS_MKIDENT(cilk_c_reducer_opadd_, tn)

/* Declares the reducer `obj` with the first value `v`. */
#define CILK_C_REDUCER_OPADD(obj, tn, v)                                                           \
    CILK_C_REDUCER_OPADD_TYPE(tn)                                                                  \
    obj = __SG_C_REDUCER_INIT(obj, CILK_C_REDUCER_OPADD_TYPE(tn), __SG_C_FIRST(obj.value, v))

#define __SG_C_OPADD(type, tn, least, greatest)                                                    \
    __SG_C_REDUCER(CILK_C_REDUCER_OPADD_TYPE(tn), type, 0, *left = (type)(*left + *right))

__SG_C_INTEGERS(__SG_C_OPADD)
__SG_C_REALS(__SG_C_OPADD)

#undef __SG_C_OPADD
