// SPDX-License-Identifier: MIT
// error: 29:14: a parameter cannot be a reducer: it would be a copy; take a reference or a pointer to the reducer
// error: 30:7: a function cannot return a reducer by value: return a reference or a pointer to it, or its value
// error: 34:8: a reducer's type cannot be a template's argument: the template would take it for the type of its views
// error: 35:1: define the type of a reducer's views before the reducer
// error: 38:11: a spawned call cannot initialise a reducer: spawn into a variable, and assign it after the cilk_sync
// error: 21:6: the identity of a reducer is a 'void (void *view)', its reduction a 'void (void *left, void *right)'
// error: 22:6: in C++ the functions of a reducer must be functions by name, not variables that point to them
// error: 23:6: use of undeclared identifier 'nothing'
// error: 24:6: the identity of a reducer is a 'void (void *view)', its reduction a 'void (void *left, void *right)'
// error: 25:1: cilk_reducer stands behind a type: 'long cilk_reducer(identity, reduce) sum;'
#include <cilk/cilk.h>

void zero(void *view);
void add(void *left, void *right);
void add_wrong(long *left, long *right);
extern void (*variable)(void *);

using total = long cilk_reducer(zero, add);

long cilk_reducer(zero, add_wrong) wrong = 0;
long cilk_reducer(variable, add) not_constant = 0;
long cilk_reducer(nothing, add) undeclared = 0;
long cilk_reducer(zero) of_one = 0;
cilk_reducer(zero, add) long before = 0;

total fine = 0;

void f(total by_value);
total g();

template <class T>
struct holder {};
holder<total> held;
struct late {} cilk_reducer(zero, add) same_time;

long h() {
    total x = cilk_spawn h();
    cilk_sync;
    return x;
}
