// SPDX-License-Identifier: MIT
// The slow path of MIT Cilk's locks: waiting while another strand holds one.
#include "platform/arch.hpp"
#include "saguaro/detail/cilk_library.h"

#include <sched.h>

extern "C" void sg_mit_wait_for_lock(volatile int *lock) {
    // The holder needs no more than this if it runs; if it does not, it needs our processor.
    constexpr int spins = 100;
    for (int i = 0; __atomic_load_n(lock, __ATOMIC_RELAXED) != 0; ++i)
        if (i < spins)
            saguaro::platform::cpu_relax();
        else
            sched_yield();
}
