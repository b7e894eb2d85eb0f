// SPDX-License-Identifier: MIT
// The end of a profiled program, and the time that a test tells the profiler.
#pragma once

#include <cstdint>

namespace saguaro::cilk {

// The program ends in the strand that calls it: what its activations, from the oldest down to this
// one, have measured so far counts. Anywhere; nothing happens outside of a measured strand.
void end_profile_here();

// Strands are measured by this function in place of the system's clocks: nanoseconds of the thread
// that calls it. To be set before anything is measured; null: the clocks again.
void measure_by(std::int64_t (*told)());

} // namespace saguaro::cilk
