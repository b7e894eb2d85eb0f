// SPDX-License-Identifier: MIT
//
// Lace's tasks are C functions behind macros: SPAWN puts one on the worker's deque, SYNC takes back
// the last one that was spawned, CALL runs one at once, RUN hands one to the workers from outside.
#pragma once

#include <lace.h>

namespace saguaro::bench {

/// Lace as the kernels see it. A run is handed to its workers from outside.
struct lace_runtime {
    static void enter(int workers, auto &&work) {
        lace_start(static_cast<unsigned>(workers), 0);
        work();
        lace_stop();
    }
};

} // namespace saguaro::bench
