// SPDX-License-Identifier: MIT
// Pages that one space gives another. A space cannot map anything in another process, so it leaves
// a grant there, and that one maps the pages when it first needs an address that it does not have.
#pragma once

#include "spmc/job.hpp"
#include "spmc/pieces.hpp"

#include <cstdint>

namespace saguaro::spmc {

// Gives pages of a table to a space, which maps them at `to`. Takes over a reference to the table,
// and one of its producers' if the space is to produce them. False if there is no memory.
bool give(job &all, slot whom, const piece &what, std::uintptr_t to);

// Maps what was given to this space so far.
void accept_grants(job &all);

// The piece at that address, as `pieces::find`: waits until somebody gives one.
void find_or_wait(job &all, std::uintptr_t address, piece &out);

} // namespace saguaro::spmc
