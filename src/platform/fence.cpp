// SPDX-License-Identifier: MIT
// The heavy side of the asymmetric fence: membarrier, or a real fence on both sides.
#include "platform/fence.hpp"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#if !defined(SG_GENERIC)
#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace saguaro::platform {

namespace {

std::atomic<bool> asymmetric{false};

#if defined(SG_GENERIC)

// The generic port asks nothing of the kernel.
bool register_membarrier() {
    return false;
}

bool membarrier() {
    return false;
}

#else

bool register_membarrier() {
    return syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) == 0;
}

bool membarrier() {
    return syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0) == 0;
}

#endif

} // namespace

bool fence_init(bool allow_membarrier) {
    const bool works = allow_membarrier && register_membarrier();
    // Relaxed, here and below: set before other threads use the fences, constant from then on.
    asymmetric.store(works, std::memory_order_relaxed);
    return works;
}

bool fence_is_asymmetric() {
    return asymmetric.load(std::memory_order_relaxed);
}

void heavy_fence() {
    if (!fence_is_asymmetric()) {
        real_fence();
        return;
    }
    // The other side relies on it. Out of memory it may be for a moment.
    while (!membarrier()) {
        if (errno == ENOMEM)
            continue;
        std::fprintf(stderr,
                     "saguaro: the kernel refuses a membarrier that it had granted (%s): was it "
                     "forbidden by a filter of system calls after the runtime had started?\n",
                     std::strerror(errno));
        std::abort();
    }
    light_fence(); // for the compiler, which may know what the system call does to memory
}

void real_fence() {
    // Pairs with itself on the other side, or with nothing but that: see the header.
    std::atomic_thread_fence(std::memory_order_seq_cst);
}

} // namespace saguaro::platform
