// SPDX-License-Identifier: MIT
// The counter event of work on AArch64.
#include "platform/aarch64/arch.hpp"

#include <linux/perf_event.h>

namespace saguaro::platform {

work_event event_of_work() {
    return {PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS, "instructions"};
}

} // namespace saguaro::platform
