// SPDX-License-Identifier: MIT
// When a thief may make all processors pass a fence.
#pragma once

#include <atomic>
#include <cstdint>

namespace saguaro::scheduler {

// A fence interrupts all that work. One after the other, fences would leave owners no time to come
// to their locks and answer the requests that the fences are for. So there is a pause after each.
class fence_turns {
public:
    // The pause, in times that a fence takes.
    static constexpr std::uint64_t pause = 3;

    // Whether the caller may begin a fence at `now` (platform::ticks), which takes it `ticks`: for
    // that long and the pause it is the only one.
    bool take(std::uint64_t now, std::uint64_t ticks) {
        // Relaxed: a turn orders nothing. A thief that reads an old value loses the exchange.
        std::uint64_t next = next_.load(std::memory_order_relaxed);
        return static_cast<std::int64_t>(now - next) >= 0 &&
               next_.compare_exchange_strong(next, now + (1 + pause) * ticks,
                                             std::memory_order_relaxed);
    }

private:
    // Read only where a request is overdue: once in a fence's time by each thief at most.
    alignas(64) std::atomic<std::uint64_t> next_{0};
};

} // namespace saguaro::scheduler
