// SPDX-License-Identifier: MIT
// error: 18:5: cilk_scope before a label: write 'again: cilk_scope ...'
// error: 20:5: cilk_spawn before a label: write 'case ...: cilk_spawn ...'
// error: 22:5: cilk_scope before a label: write 'default: cilk_scope ...'
// error: 25:5: cilk_spawn before a declaration: it must stand before a statement
// error: 26:5: cilk_scope before a declaration: it must stand before a statement
// error: 27:5: cilk_scope before a declaration: it must stand before a statement
// error: 28:9: cilk_scope in an expression: it is a statement of its own
// error: 29:7: cilk_scope in an expression: it is a statement of its own
// error: 30:11: cilk_scope in an expression: it is a statement of its own
// error: 31:11: cilk_for in an expression: it is a statement of its own
#include <cilk/cilk.h>

int g(int n);
int x;

int f(int n) {
    cilk_scope again: g(n);
    switch (n) {
    cilk_spawn case 3:
        g(n);
    cilk_scope default:
        g(x);
    }
    cilk_spawn typedef int number;
    cilk_scope struct pair { int a, b; };
    cilk_scope _Static_assert(1, "");
    x = cilk_scope g(n);
    g(cilk_scope 1);
    (void)cilk_scope g(3);
    (void)cilk_for (int i = 0; i < n; i++)
        g(i);
    switch (n) {
    case 1 ? 2 : 3: cilk_scope g(n);
    default: cilk_for (int i = 0; i < n; i++) g(i);
    }
    return x;
}
