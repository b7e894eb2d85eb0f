// SPDX-License-Identifier: MIT
// Cilk in C++, with an option for C++ alone and a file in C beside it.
#include "from_header.h"
#include <cilk/cilk.h>
#include <iostream>

static int sum(int depth) {
    if (depth == 0)
        return IN_CXX;
    int left = cilk_spawn sum(depth - 1);
    int right = sum(depth - 1);
    cilk_sync;
    return left + right;
}

int main() {
    std::cout << sum(DEPTH) << ' ' << __cplusplus << ' ' << FROM_HEADER << std::endl;
}
