/* SPDX-License-Identifier: MIT */
/* Values combined by bitwise or: Cilk Plus's reducer. See <cilk/reducer.h>. */
#pragma once

#ifdef __cplusplus

#pragma GCC system_header

#include <cilk/cxx/operators.hpp>

/* op_or_view, op_or and reducer_opor. */
SG_CILK_OPERATOR_REDUCER(op_or, reducer_opor, |, Type())

#endif

#include <cilk/c_reducer_types.h>
#include <cilk/reducer.h>

/* The type of such a reducer; `tn` is the name of its value's type: int, uint, longlong, ... */
#define CILK_C_REDUCER_OPOR_TYPE(tn) __CILKRTS_MKIDENT(cilk_c_reducer_opor_, tn)

/* Declares the reducer `obj` with the first value `v`. */
#define CILK_C_REDUCER_OPOR(obj, tn, v)                                                            \
    CILK_C_REDUCER_OPOR_TYPE(tn)                                                                   \
    obj = __SG_C_REDUCER_INIT(obj, CILK_C_REDUCER_OPOR_TYPE(tn), __SG_C_FIRST(obj.value, v))

#define __SG_C_OPOR(type, tn, least, greatest)                                                     \
    __SG_C_REDUCER(CILK_C_REDUCER_OPOR_TYPE(tn), type, 0, *left = (type)(*left | *right))

__SG_C_INTEGERS(__SG_C_OPOR)

#undef __SG_C_OPOR
