// SPDX-License-Identifier: MIT
// The memory that the process could have now.
#pragma once

#include <cstdint>
#include <string>

namespace saguaro::platform {

// Bytes: what is free or can be freed by dropping pages of files, and free swap, each no more than
// the control groups let the process have. Where the system does not tell what is free, all of its
// memory and swap counts. Another process may take it at any time. `root` is put before each path
// that is opened: "" for this machine. Some 0.3 ms.
struct available {
    std::uint64_t in_memory;
    std::uint64_t in_swap;
};
available available_memory(const std::string &root);

} // namespace saguaro::platform
