// SPDX-License-Identifier: MIT
// Waiting in a task for something outside of the runtime.
#pragma once

#include "saguaro/detail/cxx20.hpp"

#include "saguaro/blocking.h"

namespace saguaro {

// While it lives, the task that has made it waits for something that the runtime does not know: a
// lock, a queue, a file, a future. Another worker takes the processor meanwhile. The task must not
// spawn, nor wait for tasks, while it lives. sg_blocking_begin in blocking.h makes all the
// promises.
//
//     {
//         saguaro::blocking wait;
//         message = queue.pop(); // sleeps until a message comes
//     }
class [[nodiscard]] blocking {
public:
    blocking() noexcept { sg_blocking_begin(); }
    ~blocking() { sg_blocking_end(); }
    blocking(const blocking &) = delete;
    blocking &operator=(const blocking &) = delete;
};

} // namespace saguaro
