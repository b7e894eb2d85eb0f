// SPDX-License-Identifier: MIT
// error: 12:22: cilk_spawn in an expression: it may only be a statement, or the whole right side of an assignment or initialization
// error: 16:18: cilk_spawn in an expression: it may only be a statement, or the whole right side of an assignment or initialization
// error: 23:13: cilk_spawn or cilk_sync in a statement expression: a function cannot go on in the middle of one
// error: 24:5: cilk_spawn needs a call, an assignment or initialization by one, or a block
// error: 18:29: cilk_spawn is not understood here: it stands before a call or a block, as a statement or as the right side of an assignment or initialization
#include <cilk/cilk.h>

int g(int n);

namespace inner {
int in_a_namespace = cilk_spawn g(2);
}

struct initialised {
    int member = cilk_spawn g(3);
    int of_list;
    initialised() : of_list(cilk_spawn g(4)) {}
};

int f(int n) {
    cilk_spawn g(n);
    int x = ({ cilk_spawn g(n); 5; });
    cilk_spawn return x;
    cilk_sync;
    return x;
}
