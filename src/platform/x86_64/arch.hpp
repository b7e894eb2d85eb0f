// SPDX-License-Identifier: MIT
// x86-64: see platform/arch.hpp for what is promised.
#pragma once

#include <cstdint>

namespace saguaro::platform {

inline void cpu_relax() {
    __builtin_ia32_pause();
}

inline std::uint64_t ticks() {
    return __builtin_ia32_rdtsc();
}

// One instruction where the kernel allows it (Linux 5.9 and a processor of the last ten years),
// otherwise a system call of some 100 ns.
void set_region_base(std::uintptr_t base);

std::uintptr_t region_base();

inline void clear_region_base() {
    set_region_base(0);
}

} // namespace saguaro::platform
