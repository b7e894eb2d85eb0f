// SPDX-License-Identifier: MIT
// The region of the threads that are no workers, in the shared library on x86-64: at a low address.
//
// A worker's segment base is the distance from this region to the worker's copy of it. ptrace takes
// no negative one: a debugger that has stopped a worker could not write its registers, so that the
// worker would never go on. The kernel puts a program far below what is mapped later, so an object
// of the program lies low enough. But libraries and later mappings come one below the other, and
// above them is, without the randomization that gdb turns off, no room for two copies.
//
// So `sg_outside` is an indirect function here: the dynamic linker calls `sg_find_region`, and what
// that returns is the symbol's address in all global offset tables. It runs before this library is
// relocated, so it calls nothing, and makes its system calls by itself. What it maps stays to the
// end of the process, as the library does.
#include "hyperobjects/region.hpp"

#include <asm/unistd.h>
#include <linux/mman.h>

namespace {

using saguaro::hyperobjects::region_bytes;

// Below where the kernel puts position-independent programs (0x5555'5555'4000 and up to 1 TB
// above), in the range that the address and thread sanitizers leave to these.
constexpr std::uintptr_t first_place = 0x5500'0000'0000;
// A process may have several libraries in namespaces of their own (dlmopen).
constexpr std::uintptr_t between_places = std::uintptr_t{1} << 30;
constexpr int places = 256;

constexpr std::uintptr_t most_errno = 4095;

std::uintptr_t region_place = 0; // each object that names the symbol asks for it

inline std::uintptr_t system_call(long number, std::uintptr_t a, std::uintptr_t b, std::uintptr_t c,
                                  std::uintptr_t d = 0, std::uintptr_t e = 0,
                                  std::uintptr_t f = 0) {
    std::uintptr_t result;
    register std::uintptr_t r10 __asm__("r10") = d;
    register std::uintptr_t r8 __asm__("r8") = e;
    register std::uintptr_t r9 __asm__("r9") = f;
    __asm__ __volatile__("syscall"
                         : "=a"(result)
                         : "0"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                         : "rcx", "r11", "memory");
    return result;
}

// Zero pages at `hint`, or anywhere if that is 0. 0: there are none.
inline std::uintptr_t map_at(std::uintptr_t hint) {
    const std::uintptr_t fixed = hint != 0 ? MAP_FIXED_NOREPLACE : 0;
    const std::uintptr_t p =
        system_call(__NR_mmap, hint, region_bytes, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | fixed, ~std::uintptr_t{0}, 0);
    if (p >= -most_errno)
        return 0;
    if (hint != 0 && p != hint) {
        system_call(__NR_munmap, p, region_bytes, 0);
        return 0;
    }
    system_call(__NR_madvise, p, region_bytes, MADV_NOHUGEPAGE);
    return p;
}

[[noreturn]] inline void refuse() {
    static const char line[] = "saguaro: no 64 MB of address space for the reducers' region\n";
    system_call(__NR_write, 2, reinterpret_cast<std::uintptr_t>(line), sizeof(line) - 1);
    for (;;)
        system_call(__NR_exit_group, 1, 0, 0);
}

} // namespace

extern "C" {

using region_symbol = void();

// The dynamic linker's lock is held.
[[gnu::visibility("hidden")]] region_symbol *sg_find_region() {
    for (int i = 0; i < places && region_place == 0; ++i)
        region_place = map_at(first_place + static_cast<std::uintptr_t>(i) * between_places);
    if (region_place == 0)
        region_place = map_at(0);
    if (region_place == 0)
        refuse();
    return reinterpret_cast<region_symbol *>(region_place);
}

[[gnu::visibility("default"), gnu::ifunc("sg_find_region")]] region_symbol sg_outside;
}
