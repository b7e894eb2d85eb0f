// SPDX-License-Identifier: MIT
// Sessions as objects. A process may use MPI by sessions alone: the first one makes it a rank, and
// when there is none left, and MPI_Init was not called or MPI_Finalize was, it is no rank any more.
#pragma once

#include "mpi/core/info/info.hpp"
#include "mpi/core/interface/handles.hpp"
#include "mpi/core/messages/buffering.hpp"

namespace saguaro::mpi {

struct session_object {
    errhandler handler = errhandler::errors_are_fatal;
    int level = 0; // of threads
    info_list hints;
    attached_buffer buffer;
};

// Null if there is none.
session_object *find(session which);

} // namespace saguaro::mpi
