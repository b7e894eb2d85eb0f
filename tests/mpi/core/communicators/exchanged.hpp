// SPDX-License-Identifier: MIT
// An exchange of one number over an intercommunicator, for tests.
#pragma once

#include "mpi/core/interface/functions.hpp"

namespace saguaro::mpi {

// What the other rank sends over an intercommunicator of two.
inline int exchanged(comm on, int mine) {
    int got = -1;
    core::sendrecv(&mine, 1, datatype::int_, 0, 0, &got, 1, datatype::int_, 0, 0, on, nullptr);
    return got;
}

} // namespace saguaro::mpi
