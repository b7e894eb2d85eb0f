// SPDX-License-Identifier: MIT
// The region base in a thread-local variable, and the counter event of work, on AArch64.
#include "platform/aarch64/arch.hpp"

#include <linux/perf_event.h>

__thread uintptr_t sg_region_base_tls = 0;

namespace saguaro::platform {

void set_region_base(std::uintptr_t base) {
    sg_region_base_tls = base;
}

work_event event_of_work() {
    return {PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS, "instructions"};
}

} // namespace saguaro::platform
