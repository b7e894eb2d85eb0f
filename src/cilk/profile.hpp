// SPDX-License-Identifier: MIT
// The end of a profiled program: the one call of the profiler that other files of this floor need.
#pragma once

namespace saguaro::cilk {

// The program ends in the strand that calls it: what its activations, from the oldest down to this
// one, have measured so far counts. Anywhere; nothing happens outside of a measured strand.
void end_profile_here();

} // namespace saguaro::cilk
