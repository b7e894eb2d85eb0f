// SPDX-License-Identifier: MIT
// Counting the threads that join others.
#include "platform/joining.hpp"

#include <pthread.h>

namespace saguaro::platform {

namespace {

std::atomic<int> joining{0};

// The threads that wait are not in a fork's child. Where there is no memory for the handler, they
// are not counted.
bool child_forgets() {
    static const bool is_handled =
        pthread_atfork(nullptr, nullptr, [] { joining.store(0, std::memory_order_relaxed); }) == 0;
    return is_handled;
}

} // namespace

void joined_threads::begin_to_join(int threads) {
    if (!child_forgets())
        return;
    // Release pairs with the acquire in joining_threads: what this thread did before. Relaxed for
    // the group: of this and the last `leave`, the later one sees the other's sum.
    if (left_.fetch_add(threads, std::memory_order_relaxed) + threads > 0)
        joining.fetch_add(1, std::memory_order_release);
}

void joined_threads::leave() {
    // Release: what others of the group did, who left before, is done when this one is seen.
    if (left_.fetch_sub(1, std::memory_order_acq_rel) == 1)
        joining.fetch_sub(1, std::memory_order_release);
}

int joining_threads() {
    // Acquire pairs with the releases above.
    return joining.load(std::memory_order_acquire);
}

} // namespace saguaro::platform
