// SPDX-License-Identifier: MIT
//
// By default glibc keeps freed blocks only up to 32 MB. It gives larger ones back to the system, so
// a program that takes and frees such a block again and again pays each time for its pages, which
// the system clears one by one.
#include "freed_memory.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <unistd.h>

#if defined(__GLIBC__)
#include <gnu/libc-version.h>
#endif

namespace saguaro::detmpiexec {

namespace {

constexpr std::uint64_t megabyte = 1 << 20;
constexpr std::uint64_t by_default = 32 * megabyte;
constexpr std::uint64_t most_threshold = 256 * megabyte;

// Before 2.35 glibc ignores greater thresholds, and then no longer raises its own, 128 KB.
bool takes_greater_thresholds() {
#if defined(__GLIBC__)
    char *rest = nullptr;
    const long major = std::strtol(gnu_get_libc_version(), &rest, 10);
    const long minor = *rest == '.' ? std::strtol(rest + 1, nullptr, 10) : 0;
    return major > 2 || (major == 2 && minor >= 35);
#else
    return false;
#endif
}

bool says_something_about_malloc(const environment &of) {
    const std::string tunables = of.get("GLIBC_TUNABLES");
    return (of.has("GLIBC_TUNABLES") && tunables.empty()) ||
           tunables.find("glibc.malloc.") != std::string::npos || of.has_any_of("MALLOC_");
}

// For one of so many ranks that share so much memory, in bytes. None where the default keeps as
// much, and where the C library takes no such entry.
std::string entries_that_keep_memory(std::uint64_t memory, unsigned ranks) {
    // glibc's own ratio of both thresholds is 2. So what it keeps at the end of the heap is an
    // eighth of the rank's share at most_threshold.
    const std::uint64_t largest = std::min(most_threshold, memory / ranks / 16);
    if (largest <= by_default || !takes_greater_thresholds())
        return {};
    return "glibc.malloc.mmap_threshold=" + std::to_string(largest) +
           ":glibc.malloc.trim_threshold=" + std::to_string(2 * largest);
}

} // namespace

void keep_freed_memory(environment &of, unsigned ranks) {
    const long pages = sysconf(_SC_PHYS_PAGES);
    const long bytes = sysconf(_SC_PAGESIZE);
    if (says_something_about_malloc(of) || pages <= 0 || bytes <= 0)
        return;
    const std::string entries = entries_that_keep_memory(
        static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(bytes), ranks);
    if (entries.empty())
        return;
    const std::string former = of.get("GLIBC_TUNABLES");
    of.set("GLIBC_TUNABLES", former.empty() ? entries : former + ":" + entries);
}

} // namespace saguaro::detmpiexec
