/* SPDX-License-Identifier: MIT */
/*
 * What MIT Cilk 5.4 has for programs so that they need not know the compiler and the processor. All
 * that include <cilk.h> have it, .cilk files without asking. A program's own macro of such a name,
 * on the command line or before the header, stays.
 */
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

/* FILE_IDENTITY(name, "what the file is"); keeps the text in the file as a string of that name. */
#ifndef FILE_IDENTITY
#define FILE_IDENTITY(name, identity) static const char *name __attribute__((__unused__)) = identity
#endif

/* Around the declaration of a variable, parameter or function that may not be used; a statement
 * that uses one. */
#ifndef UNUSED
#define UNUSED(declaration) declaration __attribute__((__unused__))
#endif
#ifndef USE_UNUSED
#define USE_UNUSED(variable) ((void)(variable))
#endif

/* Behind the declaration of a function with a format, as printf has one; NoReturn(f(int)) declares
 * a void function that does not return. */
#ifndef CHECK_FORMAT_STRING
#define CHECK_FORMAT_STRING(kind, format, first) __attribute__((__format__(kind, format, first)))
#endif
#ifndef NoReturn
#define NoReturn(declaration) void declaration __attribute__((__noreturn__))
#endif

/* The bytes of a cache line, a member of a struct that fills one, and a variable or member that
 * begins one. */
#ifndef CILK_CACHE_LINE
#define CILK_CACHE_LINE 64
#endif
#define CILK_CACHE_LINE_PAD char __dummy[CILK_CACHE_LINE]
#define CILK_CACHE_LINE_ALIGNED(declaration)                                                       \
    declaration __attribute__((__aligned__(CILK_CACHE_LINE)))

/* Fences. What is before CILK_MB() is visible before all behind it; before CILK_RMB(), before later
 * loads; before CILK_WMB(), before later stores. */
#define CILK_MB() __atomic_thread_fence(__ATOMIC_SEQ_CST)
#define CILK_RMB() __atomic_thread_fence(__ATOMIC_SEQ_CST)
#define CILK_WMB() __atomic_thread_fence(__ATOMIC_RELEASE)

/* Stores a value and returns the one before, as one step that is also a fence. */
static inline int Cilk_xchg(int *to, int value) {
    return __atomic_exchange_n(to, value, __ATOMIC_SEQ_CST);
}

#ifdef __cplusplus
}
#endif
