// SPDX-License-Identifier: MIT
// The processor time and the memory that control groups (version 1 and 2) grant to this process.
#pragma once

#include <cstdint>
#include <string>

namespace saguaro::platform {

// The smallest quota among the process's own group and all groups above it, in processors (1.5 is
// 150 ms of every 100 ms); infinity where none is set or nothing can be read. `root` is put before
// each path that is opened: "" for this machine, a directory with a `proc/self/cgroup`, a
// `proc/self/mountinfo` and the mounted hierarchies for a test.
double cgroup_cpu_quota(const std::string &root);

// Bytes that the process's own group and all groups above it let it take beyond what they hold now,
// the largest number where there is no limit or nothing can be read. Pages of files that a group
// holds count as free: the kernel drops them. `in_swap` is known of version 2 alone. `root` as
// above.
struct cgroup_room {
    std::uint64_t in_memory;
    std::uint64_t in_swap;
};
cgroup_room cgroup_memory_room(const std::string &root);

} // namespace saguaro::platform
