// SPDX-License-Identifier: MIT
// How two groups become an intercommunicator: README.md, "Two groups meet".
#pragma once

#include "mpi/core/communicators/making.hpp"

#include <cstdint>

namespace saguaro::mpi {

// Where the leaders meet. Only the leader of a group has to know.
struct meeting_place {
    context_value context = 0; // even
    std::uint32_t other = 0;   // the other leader, in the world
    int tag = 0;               // of the context's collectives
    int error = 0;             // an error class: the leader does not go there, and all return it
};

// All ranks of `local` call it. Sets `out`, without an error handler of its own, or returns an
// error class, which all ranks of a group get alike.
int meet(comm_object &local, int leader, const meeting_place &where, const char *call,
         comm_object *&out);

// The same for the program, with the error handler of `local`.
int meet(comm_object &local, int leader, const meeting_place &where, const char *call, comm *out);

} // namespace saguaro::mpi
