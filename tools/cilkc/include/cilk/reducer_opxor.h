/* SPDX-License-Identifier: MIT */
/* Values combined by bitwise exclusive or: Cilk Plus's reducer. See <cilk/reducer.h>. */
#pragma once

#ifdef __cplusplus

#pragma GCC system_header

#include <cilk/cxx/operators.hpp>

/* op_xor_view, op_xor and reducer_opxor. */
SG_CILK_OPERATOR_REDUCER(op_xor, reducer_opxor, ^, Type())

#endif

#include <cilk/c_reducer_types.h>
#include <cilk/reducer.h>

/* The type of such a reducer; `tn` is the name of its value's type: int, uint, longlong, ... */
#define CILK_C_REDUCER_OPXOR_TYPE(tn) __CILKRTS_MKIDENT(cilk_c_reducer_opxor_, tn)

/* Declares the reducer `obj` with the first value `v`. */
#define CILK_C_REDUCER_OPXOR(obj, tn, v)                                                           \
    CILK_C_REDUCER_OPXOR_TYPE(tn)                                                                  \
    obj = __SG_C_REDUCER_INIT(obj, CILK_C_REDUCER_OPXOR_TYPE(tn), __SG_C_FIRST(obj.value, v))

#define __SG_C_OPXOR(type, tn, least, greatest)                                                    \
    __SG_C_REDUCER(CILK_C_REDUCER_OPXOR_TYPE(tn), type, 0, *left = (type)(*left ^ *right))

__SG_C_INTEGERS(__SG_C_OPXOR)

#undef __SG_C_OPXOR
