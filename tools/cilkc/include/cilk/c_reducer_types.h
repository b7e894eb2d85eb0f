/* SPDX-License-Identifier: MIT */
/*
 * The types that Cilk Plus's ready-made C reducers come in, with the names that its macros take.
 * Not for programs.
 */
#pragma once

#ifdef __cplusplus
#pragma GCC system_header
#endif

#include <limits.h>
#include <stddef.h>

/* Calls instance(type, name, least value, greatest value). */
#define __SG_C_INTEGERS(instance)                                                                  \
    instance(char, char, CHAR_MIN, CHAR_MAX) instance(unsigned char, uchar, 0, UCHAR_MAX)          \
        instance(signed char, schar, SCHAR_MIN, SCHAR_MAX)                                         \
            instance(wchar_t, wchar_t, __SG_WCHAR_MIN, __WCHAR_MAX__) instance(                    \
                short, short, SHRT_MIN, SHRT_MAX) instance(unsigned short, ushort, 0, USHRT_MAX)   \
                instance(int, int, INT_MIN, INT_MAX) instance(unsigned int, uint, 0, UINT_MAX)     \
                    instance(unsigned int, unsigned, 0, UINT_MAX)                                  \
                        instance(long, long, LONG_MIN, LONG_MAX)                                   \
                            instance(unsigned long, ulong, 0, ULONG_MAX)                           \
                                instance(long long, longlong, (-__LONG_LONG_MAX__ - 1LL),          \
                                         __LONG_LONG_MAX__)                                        \
                                    instance(unsigned long long, ulonglong, 0,                     \
                                             (__LONG_LONG_MAX__ * 2ULL + 1ULL))

#define __SG_C_REALS(instance)                                                                     \
    instance(float, float, -__builtin_huge_valf(), __builtin_huge_valf())                          \
        instance(double, double, -__builtin_huge_val(), __builtin_huge_val())                      \
            instance(long double, longdouble, -__builtin_huge_vall(), __builtin_huge_vall())

#define __SG_WCHAR_MIN ((wchar_t) - 1 < 0 ? -__WCHAR_MAX__ - 1 : 0)

/* A reducer's type and its functions. `merge` is a statement about two pointers, left and right. */
#define __SG_C_REDUCER(reducer, type, first, merge)                                                \
    typedef CILK_C_DECLARE_REDUCER(type) reducer;                                                  \
    static inline void __CILKRTS_MKIDENT(reducer, _identity)(void *__hyper, void *__view) {        \
        (void)__hyper;                                                                             \
        *(type *)__view = (type)(first);                                                           \
    }                                                                                              \
    static inline void __CILKRTS_MKIDENT(reducer, _reduce)(void *__hyper, void *__left,            \
                                                           void *__right) {                        \
        type *const left = (type *)__left;                                                         \
        const type *const right = (const type *)__right;                                           \
        (void)__hyper;                                                                             \
        merge;                                                                                     \
    }

/* The initialiser of one. */
#define __SG_C_REDUCER_INIT(object, reducer, ...)                                                  \
    CILK_C_INIT_REDUCER(_Typeof(object.value), __CILKRTS_MKIDENT(reducer, _reduce),                \
                        __CILKRTS_MKIDENT(reducer, _identity), __cilkrts_hyperobject_noop_destroy, \
                        __VA_ARGS__)

/* A value in braces, which C++ would not make narrower. */
#define __SG_C_FIRST(object, value) (_Typeof(object))(value)
