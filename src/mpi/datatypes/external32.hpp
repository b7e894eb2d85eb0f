// SPDX-License-Identifier: MIT
// The format "external32" (MPI 4.1, 14.5.2): basic elements big endian, in the standard's sizes.
// MPI_LONG has 4 bytes there, MPI_WCHAR 2, and MPI_LONG_DOUBLE is an IEEE number of 16 bytes.
#pragma once

#include "mpi/datatypes/datatype.hpp"

#include <cstdint>

namespace saguaro::mpi {

// The bytes of `count` elements in external32; -1 if they are more than 63 bits can say.
std::int64_t external32_size(const datatype_object &type, std::int64_t count);

// Convert `count` elements to external32_size() bytes, and back. An integer that does not fit into
// its external size loses the upper bytes.
void pack_external32(const datatype_object &type, const void *buffer, std::int64_t count,
                     void *out);
void unpack_external32(const datatype_object &type, void *buffer, std::int64_t count,
                       const void *in);

} // namespace saguaro::mpi
