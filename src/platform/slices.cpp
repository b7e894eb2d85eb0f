// SPDX-License-Identifier: MIT
// Asking Linux for the shortest time slices with sched_setattr.
#include "platform/slices.hpp"

#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace saguaro::platform {

namespace {

// The kernel's `sched_attr` in its first version, whose name and header depend on the C library.
struct scheduling {
    std::uint32_t size;
    std::uint32_t policy;
    std::uint64_t flags;
    std::int32_t nice;
    std::uint32_t priority;
    std::uint64_t runtime; // with SCHED_OTHER: the slice, in ns; 0 if the kernel knows no wishes
    std::uint64_t deadline;
    std::uint64_t period;
};
static_assert(sizeof(scheduling) == 48);

} // namespace

bool take_short_slices() {
    scheduling mine{};
    if (syscall(SYS_sched_getattr, 0, &mine, sizeof(mine), 0) != 0)
        return false;
    if ((mine.policy != SCHED_OTHER && mine.policy != SCHED_BATCH) || mine.runtime == 0)
        return false;
    // All else stays as it was read: the kernel wants a right for some of what would be changed.
    mine.runtime = shortest_slice_ns;
    return syscall(SYS_sched_setattr, 0, &mine, 0) == 0;
}

} // namespace saguaro::platform
