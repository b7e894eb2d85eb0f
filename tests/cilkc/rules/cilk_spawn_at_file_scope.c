// SPDX-License-Identifier: MIT
// error: 6:9: cilk_spawn outside of any function
#include <cilk/cilk.h>

int g(void);
int x = cilk_spawn g();
