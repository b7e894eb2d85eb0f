/* SPDX-License-Identifier: MIT */
/* Values multiplied: Cilk Plus's reducer. See <cilk/reducer.h>. */
#pragma once

#ifdef __cplusplus

#pragma GCC system_header

#include <cilk/cxx/operators.hpp>

/* op_mul_view, op_mul and reducer_opmul. */
SG_CILK_OPERATOR_REDUCER(op_mul, reducer_opmul, *, Type(1))

#endif

#include <cilk/c_reducer_types.h>
#include <cilk/reducer.h>

/* The type of such a reducer; `tn` is the name of its value's type: int, uint, longlong, ... */
#define CILK_C_REDUCER_OPMUL_TYPE(tn) __CILKRTS_MKIDENT(cilk_c_reducer_opmul_, tn)

/* Declares the reducer `obj` with the first value `v`. */
#define CILK_C_REDUCER_OPMUL(obj, tn, v)                                                           \
    CILK_C_REDUCER_OPMUL_TYPE(tn)                                                                  \
    obj = __SG_C_REDUCER_INIT(obj, CILK_C_REDUCER_OPMUL_TYPE(tn), __SG_C_FIRST(obj.value, v))

#define __SG_C_OPMUL(type, tn, least, greatest)                                                    \
    __SG_C_REDUCER(CILK_C_REDUCER_OPMUL_TYPE(tn), type, 1, *left = (type)(*left * *right))

__SG_C_INTEGERS(__SG_C_OPMUL)
__SG_C_REALS(__SG_C_OPMUL)

#undef __SG_C_OPMUL
