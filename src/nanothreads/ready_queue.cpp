// SPDX-License-Identifier: MIT
#include "nanothreads/ready_queue.hpp"

#include "platform/arch.hpp"

#include <algorithm>
#include <mutex>
#include <sched.h>

namespace saguaro::nanothreads {

namespace {

// Waits until flag is false. With as many threads as processors, or more, the other side may have
// been taken off its processor: then only giving up ours lets it go on. Acquire pairs with the
// release stores in `leave` and `steal`.
void wait_while(const std::atomic<bool> &flag) {
    constexpr int spins_before_yield = 100;
    for (int spins = 0; flag.load(std::memory_order_acquire); ++spins) {
        if (spins < spins_before_yield)
            platform::cpu_relax();
        else
            sched_yield();
    }
}

} // namespace

// The owner lets a thief in that came first.
void ready_queue::enter_after_thief() {
    do {
        // Release pairs with the acquire in wait_while. The owner has done nothing inside since.
        inside_.store(false, std::memory_order_release);
        wait_while(wanted_);
        // As in `enter`.
        inside_.store(true, std::memory_order_relaxed);
        near_fence(real_fences_);
    } while (wanted_.load(std::memory_order_acquire));
}

chain ready_queue::steal() {
    const std::unique_lock guard(thieves_, std::try_to_lock);
    if (!guard || looks_empty())
        return {};
    // Relaxed: the fence orders it before the loads of `inside_`.
    wanted_.store(true, std::memory_order_relaxed);
    platform::heavy_fence();
    wait_while(inside_);
    const std::size_t half = (size() + 1) / 2;
    const chain taken = cut_from_back(std::min(half, most_stolen));
    // Release pairs with the acquire in `enter`.
    wanted_.store(false, std::memory_order_release);
    return taken;
}

chain ready_queue::cut_from_back(std::size_t count) {
    if (count == 0)
        return {};
    thread *first = back_;
    for (std::size_t i = 1; i < count; ++i)
        first = first->previous;
    const chain taken{first, back_, count};
    const std::size_t rest = size() - count;
    back_ = rest == 0 ? nullptr : first->previous;
    front_ = rest == 0 ? nullptr : front_;
    resize(rest);
    return taken;
}

} // namespace saguaro::nanothreads
