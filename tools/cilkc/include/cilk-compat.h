/* SPDX-License-Identifier: MIT */
/*
 * Older programs for MIT Cilk 5, such as FFTW 2, include this header beside <cilk.h>. They use
 * nothing that <cilk.h> does not have.
 */
#pragma once

#include <cilk.h>
