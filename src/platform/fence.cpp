// SPDX-License-Identifier: MIT
#include "platform/fence.hpp"

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
    if (fence_is_asymmetric() && membarrier()) {
        light_fence(); // for the compiler, which may know what the system call does to memory
        return;
    }
    real_fence();
}

void real_fence() {
    // Pairs with itself on the other side, or with nothing but that: see the header.
    std::atomic_thread_fence(std::memory_order_seq_cst);
}

} // namespace saguaro::platform
