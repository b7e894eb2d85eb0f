// SPDX-License-Identifier: MIT
// Errors in input, and whether the machine can hold a graph.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace saguaro::pbfs {

/// Bad input. what() is one line: where (FILE:LINE, FILE, or the argument), what, what is accepted.
struct fault : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// `text` between quotes, fit for a one-line message: bytes that do not print become '?', and
/// what is longer than 40 bytes ends in "...".
std::string quoted(std::string_view text);

/// Throws a fault that begins with `where` if `bytes` are more than the machine can give now, so
/// that an absurd size gets a message and not the kernel's out-of-memory killer. `where` is only
/// used for the message. Reads /proc/meminfo and the control group's limit; where there is
/// neither, nothing is refused.
void require_memory(const std::string &where, std::uint64_t bytes);

} // namespace saguaro::pbfs
