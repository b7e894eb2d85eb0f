// SPDX-License-Identifier: MIT
// The counter event of work, of which other processors have none here.
#include "platform/generic/arch.hpp"

#include <cfenv>
#include <ucontext.h>

namespace saguaro::platform {

work_event event_of_work() {
    return {0, 0, nullptr};
}

std::uint64_t float_mode() {
    return static_cast<std::uint64_t>(std::fegetround());
}

void set_float_mode(std::uint64_t mode) {
    std::fesetround(static_cast<int>(mode));
}

// The kernel's record differs between processors, and POSIX has no name in it.
const char *stack_pointer_of([[maybe_unused]] const void *machine_state) {
#if defined(__x86_64__) || defined(__aarch64__) || defined(__riscv)
    const mcontext_t &machine = static_cast<const ucontext_t *>(machine_state)->uc_mcontext;
#endif
#if defined(__x86_64__)
    return reinterpret_cast<const char *>(machine.gregs[REG_RSP]);
#elif defined(__aarch64__)
    return reinterpret_cast<const char *>(machine.sp);
#elif defined(__riscv)
    return reinterpret_cast<const char *>(machine.__gregs[REG_SP]);
#else
    return nullptr;
#endif
}

} // namespace saguaro::platform
