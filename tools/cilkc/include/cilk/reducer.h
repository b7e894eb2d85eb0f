/* SPDX-License-Identifier: MIT */
/*
 * Cilk Plus's reducers: cilk::reducer in C++, and the macros of C in both languages.
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

#pragma GCC system_header

#include <cilk/cxx/reducer.hpp>
#include <saguaro/detail/c_reducer.h>

#else

#include <cilk/hyperobject_base.h>

#endif

#define __CILKRTS_MKIDENT(a, b) __CILKRTS_MKIDENT_IMP(a, b)
#define __CILKRTS_MKIDENT_IMP(a, b) a##b

#define _Typeof __typeof__

/* The type of a reducer whose value has the type `Type`. */
#define CILK_C_DECLARE_REDUCER(Type)                                                               \
    struct {                                                                                       \
        sg_hyper __cilkrts_hyperbase;                                                              \
        Type value;                                                                                \
    }

/* Its initialiser: reduce(reducer, left, right), identity(reducer, view), destroy(reducer, view),
 * and the first value. */
#ifdef __cplusplus
/* Without designators, which C++ has had since C++20. */
#define CILK_C_INIT_REDUCER(Type, Reduce, Identity, Destroy, ...)                                  \
    {{{0, 0},                                                                                      \
      {0, 0, 0, 0, 0, 0, 0},                                                                       \
      sizeof(Type),                                                                                \
      __alignof__(Type),                                                                           \
      Identity,                                                                                    \
      Reduce,                                                                                      \
      Destroy,                                                                                     \
      0,                                                                                           \
      0},                                                                                          \
     __VA_ARGS__}
#else
#define CILK_C_INIT_REDUCER(Type, Reduce, Identity, Destroy, ...)                                  \
    {{.size = sizeof(Type),                                                                        \
      .alignment = __alignof__(Type),                                                              \
      .identity = Identity,                                                                        \
      .reduce = Reduce,                                                                            \
      .destroy = Destroy},                                                                         \
     __VA_ARGS__}
#endif

/* Between these two each strand has a view of its own. */
#define CILK_C_REGISTER_REDUCER(Expr) sg_hyper_register(&(Expr).__cilkrts_hyperbase)
#define CILK_C_UNREGISTER_REDUCER(Expr) sg_hyper_unregister(&(Expr).__cilkrts_hyperbase)

/* The strand's view, an lvalue; good until the next spawn or sync. */
#define REDUCER_VIEW(Expr) (*(_Typeof((Expr).value) *)sg_hyper_view(&(Expr).__cilkrts_hyperbase))

/* For CILK_C_INIT_REDUCER: the views need no end. */
#define __cilkrts_hyperobject_noop_destroy ((void (*)(void *, void *))0)
