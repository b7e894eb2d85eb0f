// SPDX-License-Identifier: MIT
// Reading affinity masks, and the default number of workers.
#include "platform/cpus.hpp"

#include "platform/cgroup.hpp"
#include "platform/cpu_mask.hpp"

#include <algorithm>
#include <cerrno>
#include <unistd.h>

namespace saguaro::platform {

cpu_mask cpu_mask::of_thread(pid_t thread) {
    // The kernel refuses a set that is smaller than its own (EINVAL) and does not say how large
    // that is: 8192 is the most that Linux can be built with today.
    for (std::size_t cpus = 1024; cpus <= 1024 * 1024; cpus *= 2) {
        cpu_mask mask(cpus);
        if (sched_getaffinity(thread, mask.bytes(), mask.data()) == 0)
            return mask;
        if (errno != EINVAL)
            break;
    }
    cpu_mask first(1);
    first.add(0);
    return first;
}

std::vector<int> allowed_cpus() {
    const cpu_mask mask = cpu_mask::of_thread(0);
    std::vector<int> allowed;
    allowed.reserve(static_cast<std::size_t>(mask.count()));
    for (int cpu = 0; allowed.size() < allowed.capacity(); ++cpu)
        if (mask.contains(cpu))
            allowed.push_back(cpu);
    return allowed;
}

bool has_machine(unsigned threads, double quota) {
    const long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online == static_cast<long>(threads) && allowed_cpus().size() == threads &&
           (quota < 0 ? cgroup_cpu_quota("") : quota) >= threads;
}

unsigned default_workers(double *quota) {
    const double allowed = static_cast<double>(allowed_cpus().size());
    // A part of a processor counts as one. Not std::ceil: programs in C would have to link libm.
    const double granted = cgroup_cpu_quota("");
    if (quota != nullptr)
        *quota = granted;
    const double paid_for = std::min(allowed, granted);
    const unsigned whole = static_cast<unsigned>(paid_for);
    return std::max(1U, whole < paid_for ? whole + 1 : whole);
}

} // namespace saguaro::platform
