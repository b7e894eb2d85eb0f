// SPDX-License-Identifier: MIT
#include "platform/cpus.hpp"

#include "platform/cgroup.hpp"
#include "platform/cpu_mask.hpp"

#include <algorithm>
#include <cerrno>

namespace saguaro::platform {

std::vector<int> allowed_cpus() {
    // The kernel refuses a set that is smaller than its own (EINVAL) and does not say how large
    // that is: 8192 is the most that Linux can be built with today.
    for (std::size_t cpus = 1024; cpus <= 1024 * 1024; cpus *= 2) {
        cpu_mask mask(cpus);
        if (sched_getaffinity(0, mask.bytes(), mask.data()) == 0) {
            std::vector<int> allowed;
            for (int cpu = 0; cpu < static_cast<int>(cpus); ++cpu)
                if (mask.contains(cpu))
                    allowed.push_back(cpu);
            return allowed;
        }
        if (errno != EINVAL)
            break;
    }
    return {0};
}

unsigned default_workers() {
    const double allowed = static_cast<double>(allowed_cpus().size());
    // A part of a processor counts as one. Not std::ceil: programs in C would have to link libm.
    const double paid_for = std::min(allowed, cgroup_cpu_quota(""));
    const unsigned whole = static_cast<unsigned>(paid_for);
    return std::max(1U, whole < paid_for ? whole + 1 : whole);
}

} // namespace saguaro::platform
