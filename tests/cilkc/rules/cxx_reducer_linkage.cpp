// SPDX-License-Identifier: MIT
// error: 29:14: files share this reducer, but its function 'zero' is static or in an unnamed namespace: each file would have a reducer of its own; declare the function 'inline' instead
// error: 34:37: files share this reducer, but its function 'none' is static or in an unnamed namespace: each file would have a reducer of its own; declare the function 'inline' instead
// error: 42:18: files share this reducer, but its function 'zero' is static or in an unnamed namespace: each file would have a reducer of its own; declare the function 'inline' instead
// error: 47:18: files share this reducer, but its function 'zero' is static or in an unnamed namespace: each file would have a reducer of its own; declare the function 'inline' instead
// error: 50:6: files share this reducer, but its function 'zero' is static or in an unnamed namespace: each file would have a reducer of its own; declare the function 'inline' instead
// error: 57:8: a reducer's type cannot be a template's argument: the template would take it for the type of its views
#include <cilk/cilk.h>

static void zero(void *view);
inline void add(void *left, void *right) {
    *static_cast<long *>(left) += *static_cast<long *>(right);
}
namespace {
void none(void *view) {
    *static_cast<long *>(view) = 0;
}
} // namespace
inline void also_zero(void *view) {
    zero(view);
}
static void zero(void *view) {
    none(view);
}

using total = long cilk_reducer(zero, add);
using shared = long cilk_reducer(also_zero, add);

extern total elsewhere;
extern total not_used;
extern total here;
total here = 0;
extern shared fine;
inline long cilk_reducer(none, add) in_header = 0;
struct counter {
    static total all;
    static shared fine;
};
total counter::all = 0;
template <class T>
struct each {
    static total all;
};
template <class T>
total each<T>::all = 0;
inline long next() {
    static total count = 0;
    return ++count;
}
void walk(int n, total *into);
void walk_here(int n, total &into) {
    into += n;
}
void walk_fine(int n, shared &into);
template <class>
struct caller {};
caller<void(total &)> calls;

void f() {
    elsewhere += 1;
    here += counter::fine;
    fine += 1;
    counter::all += in_header;
    walk(1, &here);
    walk_here(1, here);
    walk_fine(1, fine);
}
