// SPDX-License-Identifier: MIT
//
// The memory of a process, as Linux tells it.
#pragma once

#include <fstream>
#include <limits>
#include <string>

namespace saguaro::bench {

/// A number of kilobytes that Linux has in such a file behind such a name; 0 where there is none.
inline double kilobytes_in(const char *file, const std::string &name) {
    std::ifstream lines(file);
    std::string word;
    double kilobytes = 0;
    while (lines >> word) {
        if (word == name && lines >> kilobytes)
            return kilobytes;
        lines.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
    }
    return 0;
}

/// The most memory that this process ever had, in millions of bytes. Of this program, not of the
/// one that a fork or an exec made it from, as getrusage has it.
inline double peak_megabytes() {
    return kilobytes_in("/proc/self/status", "VmHWM:") * 1024 / 1e6;
}

} // namespace saguaro::bench
