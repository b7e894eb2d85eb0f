/* SPDX-License-Identifier: MIT */
/* Values combined by bitwise and: Cilk Plus's reducer. See <cilk/reducer.h>. */
#pragma once

#ifdef __cplusplus

#pragma GCC system_header

#include <cilk/cxx/operators.hpp>

/* op_and_view, op_and and reducer_opand. */
SG_CILK_OPERATOR_REDUCER(op_and, reducer_opand, &, ~Type())

#endif

#include <cilk/c_reducer_types.h>
#include <cilk/reducer.h>

/* The type of such a reducer; `tn` is the name of its value's type: int, uint, longlong, ... */
#define CILK_C_REDUCER_OPAND_TYPE(tn) __CILKRTS_MKIDENT(cilk_c_reducer_opand_, tn)

/* Declares the reducer `obj` with the first value `v`. */
#define CILK_C_REDUCER_OPAND(obj, tn, v)                                                           \
    CILK_C_REDUCER_OPAND_TYPE(tn)                                                                  \
    obj = __SG_C_REDUCER_INIT(obj, CILK_C_REDUCER_OPAND_TYPE(tn), __SG_C_FIRST(obj.value, v))

#define __SG_C_OPAND(type, tn, least, greatest)                                                    \
    __SG_C_REDUCER(CILK_C_REDUCER_OPAND_TYPE(tn), type, ~0, *left = (type)(*left & *right))

__SG_C_INTEGERS(__SG_C_OPAND)

#undef __SG_C_OPAND
