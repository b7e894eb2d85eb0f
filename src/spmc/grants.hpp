// SPDX-License-Identifier: MIT
// Pages that one space gives another. A space cannot map anything in another process, so it leaves
// a grant there, and that one maps the pages when it first needs one of their addresses: not
// before, so that what it has mapped, and what its other calls find, never depends on when a grant
// came.
#pragma once

#include "spmc/job.hpp"
#include "spmc/pieces.hpp"

#include <cstdint>
#include <mutex>

namespace saguaro::spmc {

// Gives pages of a table to a space, which maps them at `to`. Takes over a reference to the table,
// and one of its producers' if the space is to produce them. False if there is no memory.
bool give(job &all, slot whom, const piece &what, std::uintptr_t to);

// The piece at that address, as `pieces::find`: waits until somebody gives one.
void find_or_wait(job &all, std::uintptr_t address, piece &out);

// Takes back what was given to a space that has ended, or ends now, and that it has not mapped.
void drop_grants(job &all, slot whose);

// Around a fork. A child has none of its parent's grants.
void grants_before_fork();
void grants_after_fork(bool in_child);

} // namespace saguaro::spmc
