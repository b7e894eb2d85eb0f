/* SPDX-License-Identifier: MIT */
/*
 * The macros by which Cilk Plus's own headers declare functions, for programs that use them.
 */
#pragma once

#ifdef __cplusplus
#define __CILKRTS_BEGIN_EXTERN_C extern "C" {
#define __CILKRTS_END_EXTERN_C }
#define __CILKRTS_INLINE inline
#else
#define __CILKRTS_BEGIN_EXTERN_C
#define __CILKRTS_END_EXTERN_C
#define __CILKRTS_INLINE static __inline__
#endif

#define __CILKRTS_NOTHROW __attribute__((nothrow))
#define CILK_API(result) result
#define CILK_API_VOID void
#define CILK_API_VOID_PTR void *
#define CILK_API_INT int
#define CILK_API_SIZET __SIZE_TYPE__
#define CILK_EXPORT

/* What a function promises of strands; nothing here makes use of it. */
#define __CILKRTS_STRAND_PURE(function) function
#define __CILKRTS_STRAND_STALE(function) function
