// SPDX-License-Identifier: MIT
// Free memory and swap from /proc/meminfo, limited by the control groups.
#include "platform/available_memory.hpp"

#include "platform/cgroup.hpp"

#include <algorithm>
#include <fstream>
#include <limits>
#include <sys/sysinfo.h>

namespace saguaro::platform {

namespace {

available all_memory() {
    struct sysinfo told{};
    if (sysinfo(&told) != 0) {
        constexpr std::uint64_t no_limit = std::numeric_limits<std::uint64_t>::max();
        return {no_limit, 0};
    }
    return {std::uint64_t{told.totalram} * told.mem_unit,
            std::uint64_t{told.totalswap} * told.mem_unit};
}

available free_memory(const std::string &root) {
    available sum = all_memory();
    std::ifstream file(root + "/proc/meminfo");
    std::string name, rest;
    for (std::uint64_t kilobytes = 0; file >> name >> kilobytes && std::getline(file, rest);)
        if (name == "MemAvailable:")
            sum.in_memory = kilobytes * 1024;
        else if (name == "SwapFree:")
            sum.in_swap = kilobytes * 1024;
    return sum;
}

} // namespace

available available_memory(const std::string &root) {
    const available free = free_memory(root);
    const cgroup_room room = cgroup_memory_room(root);
    return {std::min(free.in_memory, room.in_memory), std::min(free.in_swap, room.in_swap)};
}

} // namespace saguaro::platform
