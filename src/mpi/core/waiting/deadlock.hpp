// SPDX-License-Identifier: MIT
// How a rank finds that no rank can ever go on: ../../README.md, "A wait".
#pragma once

#include "mpi/core/clock/known_bounds.hpp"
#include "mpi/core/waiting/awaited_event.hpp"
#include "mpi/core/world/world.hpp"

#include <cstdint>

namespace saguaro::mpi {

// A rank tells which call it is in, before it tells that it is blocked there.
void tell_call(const world &of, std::uint32_t me, const awaited_event &what);

// Ends the job with a line if no rank can ever go on: all are blocked, with nothing on its way, and
// none has a message with which it will go on. A rank calls it that has waited in vain for long in
// `call`.
void look_for_a_deadlock(const world &of, std::uint32_t me, known_bounds &bounds, const char *call);

} // namespace saguaro::mpi
