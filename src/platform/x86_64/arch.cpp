// SPDX-License-Identifier: MIT
// The counter events of work of Intel and AMD.
#include "platform/x86_64/arch.hpp"

#include <algorithm>
#include <cpuid.h>
#include <cstring>
#include <iterator>
#include <linux/perf_event.h>
#include <ucontext.h>

namespace saguaro::platform {

namespace {

constexpr work_event branches(std::uint64_t event) {
    return {PERF_TYPE_RAW, event, "conditional branches"};
}

// By the models of family 6, as rr has them (src/PerfCounters.cc there). Intel has moved the event
// twice; an event of the wrong model would count something else.
work_event event_of_intel(unsigned model) {
    // Nehalem to Comet Lake.
    constexpr unsigned char cores[] = {0x1a, 0x1e, 0x2e, 0x25, 0x2c, 0x2f, 0x2a, 0x2d, 0x3a,
                                       0x3e, 0x3c, 0x3f, 0x45, 0x46, 0x3d, 0x47, 0x4f, 0x56,
                                       0x4e, 0x55, 0x5e, 0x8e, 0x9e, 0xa5, 0xa6};
    // Ice Lake to Granite Rapids.
    constexpr unsigned char newer_cores[] = {0x7e, 0x6a, 0x6c, 0x8c, 0x8d, 0xa7, 0x97, 0x9a,
                                             0xb7, 0xba, 0xbf, 0x8f, 0xcf, 0xad, 0xaa};
    // Silvermont, Goldmont, Tremont and Gracemont.
    constexpr unsigned char small_cores[] = {0x37, 0x4c, 0x4d, 0x57, 0x5f,
                                             0x7a, 0x5c, 0x96, 0x9c, 0xbe};
    const auto is_in = [model](const auto &all) {
        return std::find(std::begin(all), std::end(all), model) != std::end(all);
    };
    return is_in(cores)         ? branches(0x01c4)
           : is_in(newer_cores) ? branches(0x11c4)
           : is_in(small_cores) ? branches(0x7ec4)
                                : work_event{0, 0, nullptr};
}

} // namespace

work_event event_of_work() {
    unsigned most = 0;
    unsigned name[3]{};
    unsigned signature = 0;
    unsigned unused = 0;
    if (__get_cpuid(0, &most, &name[0], &name[2], &name[1]) == 0 ||
        __get_cpuid(1, &signature, &unused, &unused, &unused) == 0)
        return {0, 0, nullptr};
    const unsigned family = (signature >> 8 & 0xf) + (signature >> 20 & 0xff);
    const unsigned model = (signature >> 4 & 0xf) | (signature >> 12 & 0xf0);
    if (std::memcmp(name, "GenuineIntel", sizeof(name)) == 0 && family == 6)
        return event_of_intel(model);
    // Zen to Zen 5.
    if (std::memcmp(name, "AuthenticAMD", sizeof(name)) == 0 &&
        (family == 0x17 || family == 0x19 || family == 0x1a))
        return branches(0x00d1);
    return {0, 0, nullptr};
}

void set_float_mode(std::uint64_t mode) {
    const unsigned flags = __builtin_ia32_stmxcsr() & 0x3f;
    const auto control = static_cast<unsigned>(mode);
    __builtin_ia32_ldmxcsr(control | flags);
    // The rounding and the masks of exceptions stand in both, at different places.
    constexpr unsigned of_x87 = 0x0c3f;
    std::uint16_t word;
    __asm__ __volatile__("fnstcw %0" : "=m"(word));
    word = static_cast<std::uint16_t>((word & ~of_x87) | (control >> 3 & 0x0c00) |
                                      (control >> 7 & 0x003f));
    __asm__ __volatile__("fldcw %0" : : "m"(word));
}

const char *stack_pointer_of(const void *machine_state) {
    const mcontext_t &machine = static_cast<const ucontext_t *>(machine_state)->uc_mcontext;
    return reinterpret_cast<const char *>(machine.gregs[REG_RSP]);
}

} // namespace saguaro::platform
