/* SPDX-License-Identifier: MIT */
/*
 * The least and the greatest of values, without and with where it was: Cilk Plus's C reducers. See
 * <cilk/reducer.h>. Of equal values the one that is first in the serial order counts.
 */
#pragma once

#ifdef __cplusplus

#include <cilk/cxx/min_max.hpp>

#endif

#include <cilk/c_reducer_types.h>
#include <cilk/reducer.h>

/* A view of the kinds with an index. `__is_set` is 0 as long as it holds the identity. */
#define __SG_C_INDEX_VIEW(type)                                                                    \
    struct {                                                                                       \
        ptrdiff_t index;                                                                           \
        type value;                                                                                \
        char __is_set;                                                                             \
    }

/* The greatest: the type, a reducer `obj` with the first value `v`, and an update with `v`. */
#define CILK_C_REDUCER_MAX_TYPE(tn) __CILKRTS_MKIDENT(cilk_c_reducer_max_, tn)
#define CILK_C_REDUCER_MAX(obj, tn, v)                                                             \
    CILK_C_REDUCER_MAX_TYPE(tn)                                                                    \
    obj = __SG_C_REDUCER_INIT(obj, CILK_C_REDUCER_MAX_TYPE(tn), __SG_C_FIRST(obj.value, v))
#define CILK_C_REDUCER_MAX_CALC(reducer, v)                                                        \
    do {                                                                                           \
        _Typeof((reducer).value) *const __view = &REDUCER_VIEW(reducer);                           \
        const _Typeof((reducer).value) __new = (v);                                                \
        if (*__view < __new)                                                                       \
            *__view = __new;                                                                       \
    } while (0)

#define __SG_C_MAX(type, tn, least, greatest)                                                      \
    __SG_C_REDUCER(CILK_C_REDUCER_MAX_TYPE(tn), type, least, if (*left < *right) *left = *right)
__SG_C_INTEGERS(__SG_C_MAX)
__SG_C_REALS(__SG_C_MAX)
#undef __SG_C_MAX

/* The greatest and its index: REDUCER_VIEW(obj).value and .index. */
#define CILK_C_REDUCER_MAX_INDEX_TYPE(tn) __CILKRTS_MKIDENT(cilk_c_reducer_max_index_, tn)
#define __SG_C_MAX_INDEX_VIEW(tn) __CILKRTS_MKIDENT(cilk_c_reducer_max_index_view_, tn)
#define CILK_C_REDUCER_MAX_INDEX(obj, tn, v)                                                       \
    CILK_C_REDUCER_MAX_INDEX_TYPE(tn)                                                              \
    obj = __SG_C_REDUCER_INIT(obj, CILK_C_REDUCER_MAX_INDEX_TYPE(tn),                              \
                              {0, __SG_C_FIRST(obj.value.value, v), 1})
#define CILK_C_REDUCER_MAX_INDEX_CALC(reducer, i, v)                                               \
    do {                                                                                           \
        _Typeof((reducer).value) *const __view = &REDUCER_VIEW(reducer);                           \
        const _Typeof((reducer).value.value) __new = (v);                                          \
        const ptrdiff_t __at = (i);                                                                \
        if (!__view->__is_set || __view->value < __new) {                                          \
            __view->index = __at;                                                                  \
            __view->value = __new;                                                                 \
            __view->__is_set = 1;                                                                  \
        }                                                                                          \
    } while (0)

#define __SG_C_MAX_INDEX(type, tn, least, greatest)                                                \
    typedef __SG_C_INDEX_VIEW(type) __SG_C_MAX_INDEX_VIEW(tn);                                     \
    typedef CILK_C_DECLARE_REDUCER(__SG_C_MAX_INDEX_VIEW(tn)) CILK_C_REDUCER_MAX_INDEX_TYPE(tn);   \
    static inline void __CILKRTS_MKIDENT(CILK_C_REDUCER_MAX_INDEX_TYPE(tn),                        \
                                         _identity)(void *__hyper, void *__view) {                 \
        __SG_C_MAX_INDEX_VIEW(tn) *const view = (__SG_C_MAX_INDEX_VIEW(tn) *)__view;               \
        (void)__hyper;                                                                             \
        view->index = 0;                                                                           \
        view->value = least;                                                                       \
        view->__is_set = 0;                                                                        \
    }                                                                                              \
    static inline void __CILKRTS_MKIDENT(CILK_C_REDUCER_MAX_INDEX_TYPE(tn),                        \
                                         _reduce)(void *__hyper, void *__left, void *__right) {    \
        __SG_C_MAX_INDEX_VIEW(tn) *const left = (__SG_C_MAX_INDEX_VIEW(tn) *)__left;               \
        const __SG_C_MAX_INDEX_VIEW(tn) *const right = (const __SG_C_MAX_INDEX_VIEW(tn) *)__right; \
        (void)__hyper;                                                                             \
        if (right->__is_set && (!left->__is_set || left->value < right->value))                    \
            *left = *right;                                                                        \
    }
__SG_C_INTEGERS(__SG_C_MAX_INDEX)
__SG_C_REALS(__SG_C_MAX_INDEX)
#undef __SG_C_MAX_INDEX

/* The least: the type, a reducer `obj` with the first value `v`, and an update with `v`. */
#define CILK_C_REDUCER_MIN_TYPE(tn) __CILKRTS_MKIDENT(cilk_c_reducer_min_, tn)
#define CILK_C_REDUCER_MIN(obj, tn, v)                                                             \
    CILK_C_REDUCER_MIN_TYPE(tn)                                                                    \
    obj = __SG_C_REDUCER_INIT(obj, CILK_C_REDUCER_MIN_TYPE(tn), __SG_C_FIRST(obj.value, v))
#define CILK_C_REDUCER_MIN_CALC(reducer, v)                                                        \
    do {                                                                                           \
        _Typeof((reducer).value) *const __view = &REDUCER_VIEW(reducer);                           \
        const _Typeof((reducer).value) __new = (v);                                                \
        if (*__view > __new)                                                                       \
            *__view = __new;                                                                       \
    } while (0)

#define __SG_C_MIN(type, tn, least, greatest)                                                      \
    __SG_C_REDUCER(CILK_C_REDUCER_MIN_TYPE(tn), type, greatest, if (*left > *right) *left = *right)
__SG_C_INTEGERS(__SG_C_MIN)
__SG_C_REALS(__SG_C_MIN)
#undef __SG_C_MIN

/* The least and its index: REDUCER_VIEW(obj).value and .index. */
#define CILK_C_REDUCER_MIN_INDEX_TYPE(tn) __CILKRTS_MKIDENT(cilk_c_reducer_min_index_, tn)
#define __SG_C_MIN_INDEX_VIEW(tn) __CILKRTS_MKIDENT(cilk_c_reducer_min_index_view_, tn)
#define CILK_C_REDUCER_MIN_INDEX(obj, tn, v)                                                       \
    CILK_C_REDUCER_MIN_INDEX_TYPE(tn)                                                              \
    obj = __SG_C_REDUCER_INIT(obj, CILK_C_REDUCER_MIN_INDEX_TYPE(tn),                              \
                              {0, __SG_C_FIRST(obj.value.value, v), 1})
#define CILK_C_REDUCER_MIN_INDEX_CALC(reducer, i, v)                                               \
    do {                                                                                           \
        _Typeof((reducer).value) *const __view = &REDUCER_VIEW(reducer);                           \
        const _Typeof((reducer).value.value) __new = (v);                                          \
        const ptrdiff_t __at = (i);                                                                \
        if (!__view->__is_set || __view->value > __new) {                                          \
            __view->index = __at;                                                                  \
            __view->value = __new;                                                                 \
            __view->__is_set = 1;                                                                  \
        }                                                                                          \
    } while (0)

#define __SG_C_MIN_INDEX(type, tn, least, greatest)                                                \
    typedef __SG_C_INDEX_VIEW(type) __SG_C_MIN_INDEX_VIEW(tn);                                     \
    typedef CILK_C_DECLARE_REDUCER(__SG_C_MIN_INDEX_VIEW(tn)) CILK_C_REDUCER_MIN_INDEX_TYPE(tn);   \
    static inline void __CILKRTS_MKIDENT(CILK_C_REDUCER_MIN_INDEX_TYPE(tn),                        \
                                         _identity)(void *__hyper, void *__view) {                 \
        __SG_C_MIN_INDEX_VIEW(tn) *const view = (__SG_C_MIN_INDEX_VIEW(tn) *)__view;               \
        (void)__hyper;                                                                             \
        view->index = 0;                                                                           \
        view->value = greatest;                                                                    \
        view->__is_set = 0;                                                                        \
    }                                                                                              \
    static inline void __CILKRTS_MKIDENT(CILK_C_REDUCER_MIN_INDEX_TYPE(tn),                        \
                                         _reduce)(void *__hyper, void *__left, void *__right) {    \
        __SG_C_MIN_INDEX_VIEW(tn) *const left = (__SG_C_MIN_INDEX_VIEW(tn) *)__left;               \
        const __SG_C_MIN_INDEX_VIEW(tn) *const right = (const __SG_C_MIN_INDEX_VIEW(tn) *)__right; \
        (void)__hyper;                                                                             \
        if (right->__is_set && (!left->__is_set || left->value > right->value))                    \
            *left = *right;                                                                        \
    }
__SG_C_INTEGERS(__SG_C_MIN_INDEX)
__SG_C_REALS(__SG_C_MIN_INDEX)
#undef __SG_C_MIN_INDEX
