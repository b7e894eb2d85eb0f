/* SPDX-License-Identifier: MIT */
/*
 * The serial elision of a program that includes <cilk/cilk.h>, for a compiler that knows no Cilk.
 */
#pragma once

#define cilk_spawn
#define cilk_sync ((void)0)
#define cilk_for for
#define cilk_scope
#define cilk_reducer(identity, reduce)
