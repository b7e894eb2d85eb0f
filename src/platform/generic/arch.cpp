// SPDX-License-Identifier: MIT
// The region base in a thread-local variable, for processors without a port of their own.
#include "platform/generic/arch.hpp"

__thread uintptr_t sg_region_base_tls = 0;

uintptr_t sg_region_base(void) {
    return sg_region_base_tls;
}

namespace saguaro::platform {

void set_region_base(std::uintptr_t base) {
    sg_region_base_tls = base;
}

work_event event_of_work() {
    return {0, 0, nullptr};
}

} // namespace saguaro::platform
