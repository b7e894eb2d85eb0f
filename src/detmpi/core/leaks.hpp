// SPDX-License-Identifier: MIT
// What a program has made and not freed: detmpiexec -check.
#pragma once

namespace saguaro::detmpi {

inline constexpr const char *check_variable = "SAGUARO_MPI_CHECK";

// At MPI_Finalize: says a line if the variable is set and something is left.
void name_leaks();

} // namespace saguaro::detmpi
