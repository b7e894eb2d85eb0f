// SPDX-License-Identifier: MIT
// error: 16:12: cilk_reducer qualifies a variable, or what a pointer points to; no member, element, result or function behind a pointer
// error: 19:7: cilk_reducer qualifies a variable, or what a pointer points to; no member, element, result or function behind a pointer
// error: 20:8: cilk_reducer qualifies a variable, or what a pointer points to; no member, element, result or function behind a pointer
// error: 21:8: cilk_reducer qualifies a variable, or what a pointer points to; no member, element, result or function behind a pointer
// error: 22:8: cilk_reducer qualifies a variable, or what a pointer points to; no member, element, result or function behind a pointer
#include <cilk/cilk.h>

void zero(void *view);
void add(void *left, void *right);

// What would be a plain long elsewhere, and shared by all strands.
typedef long cilk_reducer(zero, add) total;

struct holder {
    total *to;
};

total several[3];
total *pointers[2];
total *result(void);
void (*through)(total *);
