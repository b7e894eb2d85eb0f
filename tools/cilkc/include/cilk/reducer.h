/* SPDX-License-Identifier: MIT */
/*
 * Cilk Plus's reducers for C.
 *
 *     static CILK_C_REDUCER_OPADD(sum, long, 0);          <cilk/reducer_opadd.h>
 *     CILK_C_REGISTER_REDUCER(sum);
 *     cilk_for (int i = 0; i < n; i++)
 *         REDUCER_VIEW(sum) += a[i];
 *     CILK_C_UNREGISTER_REDUCER(sum);
 *     printf("%ld\n", sum.value);
 */
#pragma once

#ifdef __cplusplus

#include <cilk/cxx/reducer.hpp>

#else

#include <cilk/hyperobject_base.h>

#define __CILKRTS_MKIDENT(a, b) __CILKRTS_MKIDENT_IMP(a, b)
#define __CILKRTS_MKIDENT_IMP(a, b) a##b

#define _Typeof __typeof__

/* The type of a reducer whose value has the type `Type`. */
#define CILK_C_DECLARE_REDUCER(Type)                                                               \
    struct {                                                                                       \
        __cilkrts_hyperobject_base __cilkrts_hyperbase;                                            \
        Type value;                                                                                \
    }

/* Its initialiser: reduce(reducer, left, right), identity(reducer, view), destroy(reducer, view),
 * and the first value. */
#define CILK_C_INIT_REDUCER(Type, Reduce, Identity, Destroy, ...)                                  \
    {{.size = sizeof(Type),                                                                        \
      .alignment = __alignof__(Type),                                                              \
      .identity = Identity,                                                                        \
      .reduce = Reduce,                                                                            \
      .destroy = Destroy},                                                                         \
     __VA_ARGS__}

/* Between these two each strand has a view of its own. */
#define CILK_C_REGISTER_REDUCER(Expr) __cilkrts_hyper_create(&(Expr).__cilkrts_hyperbase)
#define CILK_C_UNREGISTER_REDUCER(Expr) __cilkrts_hyper_destroy(&(Expr).__cilkrts_hyperbase)

/* The strand's view, an lvalue; good until the next spawn or sync. */
#define REDUCER_VIEW(Expr)                                                                         \
    (*(_Typeof((Expr).value) *)__cilkrts_hyper_lookup(&(Expr).__cilkrts_hyperbase))

#endif
