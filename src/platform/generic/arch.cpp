// SPDX-License-Identifier: MIT
// The counter event of work, of which other processors have none here.
#include "platform/generic/arch.hpp"

namespace saguaro::platform {

work_event event_of_work() {
    return {0, 0, nullptr};
}

} // namespace saguaro::platform
