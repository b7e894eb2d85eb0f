// SPDX-License-Identifier: MIT
// The counter event of work on AArch64.
#include "platform/aarch64/arch.hpp"

#include <linux/perf_event.h>
#include <ucontext.h>

namespace saguaro::platform {

work_event event_of_work() {
    return {PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS, "instructions"};
}

const char *stack_pointer_of(const void *machine_state) {
    const mcontext_t &machine = static_cast<const ucontext_t *>(machine_state)->uc_mcontext;
    return reinterpret_cast<const char *>(machine.sp);
}

} // namespace saguaro::platform
