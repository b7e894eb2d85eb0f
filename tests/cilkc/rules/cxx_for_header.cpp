// SPDX-License-Identifier: MIT
// error: 22:15: cilk_for needs a loop variable: the first part of its header declares and initializes it
// error: 24:15: cilk_for declares more than one loop variable
// error: 26:5: cilk_for has no condition: its number of iterations must be known when it starts
// error: 28:5: cilk_for has no increment
// error: 30:28: the condition of cilk_for must compare the loop variable by <, <=, >, >= or !=
// error: 32:28: the condition of cilk_for must compare the loop variable 'j'
// error: 34:35: the increment of cilk_for must be ++, --, += or -= of the loop variable 'j', or an assignment such as i = i + step
// error: 36:33: cilk_for counts away from its limit
// error: 38:35: the step of cilk_for is zero
// error: 40:22: the loop variable of cilk_for must be an integer, a pointer or an iterator, not 'double'
// error: 42:21: the loop variable of cilk_for must be an ordinary variable: each iteration has its own copy
// error: 44:30: the limit of cilk_for must not depend on the loop variable
// error: 46:38: the step of cilk_for must be an integer
#include <cilk/cilk.h>
#include <vector>

void g(int n);

void f(int n, std::vector<int> v) {
    int i;
    cilk_for (i = 0; i < n; ++i)
        g(i);
    cilk_for (int j = 0, k = 0; j < n; ++j)
        g(j + k);
    cilk_for (int j = 0;; ++j)
        g(j);
    cilk_for (int j = 0; j < n;)
        g(j);
    cilk_for (int j = 0; j == n; ++j)
        g(j);
    cilk_for (int j = 0; n < 5; ++j)
        g(j);
    cilk_for (int j = 0; j < n; j *= 2)
        g(j);
    cilk_for (int j = 0; j < n; --j)
        g(j);
    cilk_for (int j = 0; j < n; j += 0)
        g(j);
    cilk_for (double d = 0; d < n; ++d)
        g(1);
    cilk_for (auto &x = v[0]; x < n; ++x)
        g(1);
    cilk_for (int j = 0; j < j + n; ++j)
        g(j);
    cilk_for (int j = 0; j < n; j += 1.5)
        g(j);
}
