// SPDX-License-Identifier: MIT
// The reason why the system gives no more stacks, in words for the user.
#pragma once

#include "stacks/pool.hpp"

#include <string>

namespace saguaro::stacks {

// For use after `take` returned null: one line without an end, such as
//
//     no more stacks: there are 32741 of 65536 bytes, and the process has as many mappings as
//     vm.max_map_count=65530 allows (raise it: sysctl vm.max_map_count=N, up to 2147483647)
//
// It looks at what the process has now, so the reason is a guess where other threads map and unmap.
// Reads /proc; milliseconds.
std::string shortage(const pool &stacks);

} // namespace saguaro::stacks
