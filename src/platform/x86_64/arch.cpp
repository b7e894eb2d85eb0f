// SPDX-License-Identifier: MIT
#include "platform/x86_64/arch.hpp"

#include <asm/prctl.h>
#include <cstdio>
#include <cstdlib>
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace saguaro::platform {

namespace {

// HWCAP2_FSGSBASE of the kernel: programs may use the instructions rdgsbase and wrgsbase.
constexpr unsigned long hwcap2_fsgsbase = 1UL << 1;

bool have_instructions() {
    static const bool have = (getauxval(AT_HWCAP2) & hwcap2_fsgsbase) != 0;
    return have;
}

} // namespace

void set_region_base(std::uintptr_t base) {
    if (have_instructions())
        __asm__ __volatile__("wrgsbase %0" : : "r"(base) : "memory");
    else if (syscall(SYS_arch_prctl, ARCH_SET_GS, base) != 0) {
        std::fputs("saguaro: the kernel refuses a worker's segment base: no room for its region "
                   "above the library's\n",
                   stderr);
        std::_Exit(1);
    }
}

std::uintptr_t region_base() {
    std::uintptr_t base = 0;
    if (have_instructions())
        __asm__ __volatile__("rdgsbase %0" : "=r"(base) : : "memory");
    else
        syscall(SYS_arch_prctl, ARCH_GET_GS, &base);
    return base;
}

} // namespace saguaro::platform
