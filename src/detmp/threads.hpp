// SPDX-License-Identifier: MIT
// Threads of a space, of which each end of a channel and each member of a team has one.
#pragma once

#include <cstdint>

namespace saguaro::detmp {

// A number that no other thread of the process has while this one lives.
inline std::uint64_t this_thread() {
    static thread_local char mine;
    return reinterpret_cast<std::uint64_t>(&mine);
}

} // namespace saguaro::detmp
