// SPDX-License-Identifier: MIT
// Whether the work of this process is counted, and when: -order work. work_clock.hpp has the clock.
#pragma once

#include <atomic>
#include <cstdint>

namespace saguaro::mpi {

class world;

namespace work {

// From `begin` to `end`. Relaxed, all: the counted thread alone writes it, and nothing follows from
// it for another thread but a line that ends the process.
inline std::atomic<bool> is_counted = false;

// The calling thread has its work counted, and no other may call MPI. Ends the process with a line
// if the system has no counter for it.
void begin(const world &of, std::uint32_t me);
// The rank has left for good.
void end();

// The program calls MPI, and goes on: for thread_gate.
void stop();
void start();

// Counts nothing while it lives. For a function that takes no lock, which any thread may call.
class pause {
public:
    pause() {
        if (is_counted.load(std::memory_order_relaxed)) [[unlikely]]
            pauses_ = begins();
    }
    ~pause() {
        if (pauses_) [[unlikely]]
            start();
    }
    pause(const pause &) = delete;
    pause &operator=(const pause &) = delete;

private:
    static bool begins();

    bool pauses_ = false;
};

} // namespace work

} // namespace saguaro::mpi
