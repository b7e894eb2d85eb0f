// SPDX-License-Identifier: MIT
// Small operations of one step, many with each call of the system: README.md, "The memory".
#pragma once

#include "mpi/core/windows/operation.hpp"

#include <vector>

namespace saguaro::mpi {

// Carries out the operations of a step. It keeps a *burst*: either puts, or gets, or operations
// that read and write, each of a small piece of another process's own memory.
class bursts {
public:
    // Carries the operation out, at the latest when `finish` is called; until then the operation
    // must stay where it is. An error class, also of an earlier operation.
    int carry_out(const operation &o);
    int finish();

private:
    std::vector<const operation *> burst_; // in the order of their calls
    std::int64_t bytes_ = 0;
};

} // namespace saguaro::mpi
