// SPDX-License-Identifier: MIT
// error: 5:6: a reducer needs an identity and a reduction: 'long cilk_reducer(identity, reduce) sum;'
#include <cilk/cilk.h>

long _Hyperobject sum = 0;
