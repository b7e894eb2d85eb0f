// SPDX-License-Identifier: MIT
// The constructors whose types are parts of an array: of a block of it, and of what a process has
// of one that is distributed. Errors are those of constructors.hpp.
#pragma once

#include "mpi/datatypes/constructors.hpp"

namespace saguaro::mpi {

// A subsize may be 0, which the standard forbids: MPICH and Open MPI take it, and programs use it.
int type_subarray(int dimensions, const std::int64_t *sizes, const std::int64_t *subsizes,
                  const std::int64_t *starts, int order, const type_pointer &old,
                  type_pointer *made, call_form form = call_form::plain);

int type_darray(int processes, int rank, int dimensions, const std::int64_t *sizes,
                const int *distributions, const int *arguments, const int *process_sizes, int order,
                const type_pointer &old, type_pointer *made, call_form form = call_form::plain);

} // namespace saguaro::mpi
