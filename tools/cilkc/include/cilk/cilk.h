/* SPDX-License-Identifier: MIT */
/*
 * The keywords of OpenCilk and Cilk Plus, for cilkc and cilkc++. Without this header they are
 * spelled with _Cilk_ in any file.
 */
#pragma once

#ifdef __cplusplus
#include <saguaro/detail/cilk_cxx.hpp>
#endif

/* The version of the language, as OpenCilk's compiler defines it. */
#ifndef __cilk
#define __cilk 300
#endif

#define cilk_spawn _Cilk_spawn
#define cilk_sync _Cilk_sync
#define cilk_for _Cilk_for
#define cilk_scope _Cilk_scope

/* A type qualifier: each strand that comes to the variable has a view of its own, made by
 * identity(view) and merged in serial order by reduce(left, right). */
#ifdef __cplusplus
#define cilk_reducer(...) _Cilk_reducer(__VA_ARGS__)
#else
#define cilk_reducer(identity, reduce) _Cilk_reducer(identity, reduce)
#endif
