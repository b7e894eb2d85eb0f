// SPDX-License-Identifier: MIT
// A number for the basic elements of a stream, equal for equal sequences however their types were
// made.
#pragma once

#include "mpi/datatypes/datatype.hpp"

#include <cstdint>

namespace saguaro::mpi {

// Of `count` elements of the type. 0: they may be anything, because the type is MPI_PACKED, or
// there are none. Elements are alike if they mean the same to the processor, as MPI_INT and
// MPI_INTEGER do. O(nodes of the type * log(count)).
std::uint64_t signature_hash(const datatype_object &type, std::int64_t count);

} // namespace saguaro::mpi
