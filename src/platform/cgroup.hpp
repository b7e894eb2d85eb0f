// SPDX-License-Identifier: MIT
// The processor time that control groups (version 1 and 2) grant to this process.
#pragma once

#include <string>

namespace saguaro::platform {

// The smallest quota among the process's own group and all groups above it, in processors (1.5 is
// 150 ms of every 100 ms); infinity where none is set or nothing can be read. `root` is put before
// each path that is opened: "" for this machine, a directory with a `proc/self/cgroup`, a
// `proc/self/mountinfo` and the mounted hierarchies for a test.
double cgroup_cpu_quota(const std::string &root);

} // namespace saguaro::platform
