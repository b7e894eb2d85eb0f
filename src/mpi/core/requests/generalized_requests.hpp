// SPDX-License-Identifier: MIT
// Generalized requests: operations of the program's own, which it ends by MPI_Grequest_complete.
#pragma once

#include "mpi/core/requests/requests.hpp"

namespace saguaro::mpi {

// What the program says of the operation's end. Its error.
int query_program(const request_object &of, status *out);
// Tells the program that the request goes. Its error.
int tell_program_of_end(const request_object &which);
// MPI_Cancel of such a request: asks the program, which may end the operation. Its error.
int ask_program_to_cancel(const request_object &which);

} // namespace saguaro::mpi
