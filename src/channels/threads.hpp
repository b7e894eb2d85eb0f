// SPDX-License-Identifier: MIT
// Threads of a space, of which each end of a channel and each member of a team has one.
#pragma once

#include <atomic>
#include <cstdint>

namespace saguaro::channels {

// A number that no other thread of the process has, nor one that has ended.
inline std::uint64_t this_thread() {
    static constinit std::atomic<std::uint64_t> last{0};
    static constinit thread_local std::uint64_t mine = 0;
    if (mine == 0) [[unlikely]]
        mine = last.fetch_add(1, std::memory_order_relaxed) + 1; // relaxed: only the number
    return mine;
}

} // namespace saguaro::channels
