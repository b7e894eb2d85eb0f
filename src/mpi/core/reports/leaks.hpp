// SPDX-License-Identifier: MIT
// detmpiexec -check: what a program has made and not freed, and what else looks wrong.
#pragma once

namespace saguaro::mpi {

// Whether SAGUARO_MPI_CHECK is set.
bool is_checking();

// At MPI_Finalize, if the variable is set: says a line if messages have come that no receive has
// taken. A collective on MPI_COMM_WORLD, while the rank still sends and receives.
void name_unreceived();

// At MPI_Finalize: says a line if the variable is set and something is left.
void name_leaks();

} // namespace saguaro::mpi
