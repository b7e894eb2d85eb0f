// SPDX-License-Identifier: MIT
// Reducers by the macros of Cilk Plus, for c_reducer_test.cpp.
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

// Registers the reducers and, at the end, unregisters them and hands their values over.
void c_reducers_begin(void);
void c_reducers_end(long *sum, double *product, int *greatest, long *at, char *text);

// One step: adds `i` to the sum, 1 + 1 / (i + 1) to the product, `value` to the maxima, a letter to
// the text.
void c_reducers_step(int i, int value);

// The value of a reducer that is never registered, as REDUCER_VIEW has it.
long *c_reducers_forgotten(void);

#ifdef __cplusplus
}
#endif
