// SPDX-License-Identifier: MIT
// A frame that steps over the guard below its stack, to where nothing may be touched.
#pragma once

#include <alloca.h>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <sys/mman.h>

namespace saguaro::test_support {

// Faults. What lies there is replaced by memory without access: for programs that are to end so.
[[gnu::noinline]] inline void step_over_the_guard(std::size_t bytes = std::size_t{33} << 20) {
    constexpr std::uintptr_t around = 64 << 10;
    char here = '\0';
    const std::uintptr_t there = (reinterpret_cast<std::uintptr_t>(&here) - bytes) & ~(around - 1);
    mmap(reinterpret_cast<void *>(there - around), 3 * around, PROT_NONE,
         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
    char *const frame = static_cast<char *>(alloca(bytes));
    std::memset(frame, 1, 1 << 10);
    asm volatile("" ::"r"(frame) : "memory");
}

} // namespace saguaro::test_support
