// SPDX-License-Identifier: MIT
// A call on another worker than the one that a task runs on.
#pragma once

#include "saguaro/parallel_invoke.hpp"

#include <atomic>
#include <sched.h>

namespace saguaro::test {

// In a task, with two workers at least: another worker calls f(), and this one waits for it.
template <class F>
void on_another_worker(F f) {
    std::atomic<bool> done{false};
    parallel_invoke(
        [&] {
            while (!done)
                sched_yield();
        },
        [&] {
            f();
            done = true;
        });
}

} // namespace saguaro::test
