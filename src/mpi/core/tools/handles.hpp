// SPDX-License-Identifier: MIT
// The handles that tools hold.
#pragma once

namespace saguaro::mpi::tools {

// All handles and sessions go, with the last MPI_T_finalize. The lock is held.
void forget_handles();
void forget_control_handles();
void forget_sessions();

inline void forget_handles() {
    forget_control_handles();
    forget_sessions();
}

} // namespace saguaro::mpi::tools
