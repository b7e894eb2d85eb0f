// SPDX-License-Identifier: MIT
// Time slices: in pieces of what length a thread gets its share of a processor.
#pragma once

#include <cstdint>

namespace saguaro::platform {

// What Linux gives at least, since 6.12. Its usual slice is some milliseconds.
inline constexpr std::int64_t shortest_slice_ns = 100'000;

// Asks for the shortest slices for the calling thread, and for the threads and processes that it
// makes from now on. The share stays what it was. But a thread with shorter slices is due sooner:
// when it is woken it takes the place of a program that computes, which would otherwise run to the
// end of its own slice; and when it yields it gives less away.
//
// False, and nothing changes: the kernel knows no such wish, or refuses it to this process, or the
// thread is not scheduled by shares (SCHED_FIFO, SCHED_IDLE and so on). Two system calls.
bool take_short_slices();

} // namespace saguaro::platform
