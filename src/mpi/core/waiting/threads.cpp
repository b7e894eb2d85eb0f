// SPDX-License-Identifier: MIT
// How a thread of a rank lets others in, and leaves.
#include "mpi/core/waiting/threads.hpp"

#include "mpi/core/rank.hpp"

#include <sched.h>

namespace saguaro::mpi {

void thread_gate::let_others_in() {
    if (entering_.load(std::memory_order_relaxed) == 0)
        return;
    mutex_.unlock();
    sched_yield();
    lock();
}

void thread_gate::sleep() {
    std::unique_lock<std::mutex> held(mutex_, std::adopt_lock);
    changed_.wait(held);
    held.release();
}

void core::inside::leave() {
    // What this thread has done may be what another waits for.
    if (rank::mine != nullptr)
        rank::mine->wake_threads();
    gate.leave();
}

} // namespace saguaro::mpi
