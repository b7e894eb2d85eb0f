// SPDX-License-Identifier: MIT
#include "platform/cpus.hpp"

#include "platform/cgroup.hpp"
#include "platform/cpu_mask.hpp"

#include <algorithm>
#include <cerrno>
#include <cmath>

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
    const double paid_for = std::ceil(cgroup_cpu_quota(""));
    return static_cast<unsigned>(std::max(1.0, std::min(allowed, paid_for)));
}

} // namespace saguaro::platform
