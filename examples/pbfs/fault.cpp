// SPDX-License-Identifier: MIT
// Quoting what a user gave, and comparing a graph's size with the memory there is.
#include "fault.hpp"

#include <algorithm>
#include <fstream>
#include <limits>

namespace saguaro::pbfs {

namespace {

constexpr std::uint64_t no_limit = std::numeric_limits<std::uint64_t>::max();

/// The first number in a file of /sys/fs/cgroup; no_limit if the file is missing or says "max".
std::uint64_t control_group_value(const char *path) {
    std::ifstream file(path);
    std::uint64_t value = 0;
    return file >> value ? value : no_limit;
}

/// Bytes that the kernel could give to this process without swapping, as far as it says.
std::uint64_t available_memory() {
    std::uint64_t available = no_limit;
    std::ifstream meminfo("/proc/meminfo");
    std::string name;
    std::uint64_t kib = 0;
    std::string rest;
    while (meminfo >> name >> kib && std::getline(meminfo, rest))
        if (name == "MemAvailable:")
            available = kib * 1024;
    const std::uint64_t limit = control_group_value("/sys/fs/cgroup/memory.max");
    const std::uint64_t used = control_group_value("/sys/fs/cgroup/memory.current");
    if (limit != no_limit && used != no_limit)
        available = std::min(available, limit - std::min(limit, used));
    return available;
}

} // namespace

std::string quoted(std::string_view text) {
    constexpr std::size_t longest = 40;
    std::string result = "'";
    for (const char c : text.substr(0, longest))
        result += c >= ' ' && c <= '~' ? c : '?';
    result += text.size() > longest ? "...'" : "'";
    return result;
}

void require_memory(const std::string &where, std::uint64_t bytes) {
    const std::uint64_t available = available_memory();
    if (bytes > available) {
        constexpr std::uint64_t mib = 1024 * 1024;
        throw fault(where + ": the graph needs " + std::to_string(bytes / mib) +
                    " MiB of memory, and " + std::to_string(available / mib) + " MiB are free");
    }
}

} // namespace saguaro::pbfs
