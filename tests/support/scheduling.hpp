// SPDX-License-Identifier: MIT
// How the kernel schedules the calling thread.
#pragma once

#include <cstdint>
#include <sys/syscall.h>
#include <unistd.h>

namespace saguaro::test_support {

// The kernel's `sched_attr` in its first version, whose name and header depend on the C library.
struct scheduling {
    std::uint32_t size;
    std::uint32_t policy;
    std::uint64_t flags;
    std::int32_t nice;
    std::uint32_t priority;
    std::uint64_t runtime; // the slice in ns, with SCHED_OTHER; 0 before Linux 6.12
    std::uint64_t deadline;
    std::uint64_t period;

    bool operator==(const scheduling &) const = default;
};

// Zeros if the kernel does not tell.
inline scheduling scheduling_of_thread() {
    scheduling seen{};
    syscall(SYS_sched_getattr, 0, &seen, sizeof(seen), 0);
    return seen;
}

} // namespace saguaro::test_support
