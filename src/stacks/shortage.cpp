// SPDX-License-Identifier: MIT
// Counting mappings and memory to explain why a stack could not be mapped.
#include "stacks/shortage.hpp"

#include <algorithm>
#include <climits>
#include <fstream>
#include <iterator>
#include <sys/resource.h>

namespace saguaro::stacks {

namespace {

std::size_t mappings_of_this_process() {
    std::ifstream maps("/proc/self/maps");
    return static_cast<std::size_t>(std::count(std::istreambuf_iterator<char>(maps), {}, '\n'));
}

// 0: the system does not say.
std::size_t most_mappings() {
    std::size_t most = 0;
    std::ifstream("/proc/sys/vm/max_map_count") >> most;
    return most;
}

std::string reason(const pool &stacks) {
    if (stacks.is_at_limit())
        return "more are not accepted";
    // A guard takes up to two. The kernel's own few (vdso, vsyscall) are listed, but not counted.
    if (const std::size_t most = most_mappings();
        most != 0 && mappings_of_this_process() + 2 >= most)
        return "the process has as many mappings as vm.max_map_count=" + std::to_string(most) +
               " allows (raise it: sysctl vm.max_map_count=N, up to " + std::to_string(INT_MAX) +
               ")";
    rlimit space{};
    if (getrlimit(RLIMIT_AS, &space) == 0 && space.rlim_cur != RLIM_INFINITY)
        return "RLIMIT_AS allows the process " + std::to_string(space.rlim_cur) +
               " bytes of addresses, of which each takes " + std::to_string(stacks.block_bytes()) +
               " (raise it: ulimit -v, or lower " + stacks.setting() + ")";
    return "the system has no room for another " + std::to_string(stacks.block_bytes()) +
           " bytes (lower " + stacks.setting() + ")";
}

} // namespace

std::string shortage(const pool &stacks) {
    return "no more stacks: there are " + std::to_string(stacks.mapped()) + " of " +
           std::to_string(stacks.stack_bytes()) + " bytes, and " + reason(stacks);
}

} // namespace saguaro::stacks
