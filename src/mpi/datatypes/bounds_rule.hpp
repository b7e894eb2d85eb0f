// SPDX-License-Identifier: MIT
// The meaning of bounds that MPI_Type_create_resized has set, for a type that is made of the
// resized one. The standard and MPICH differ, and a program that was compiled for MPICH relies on
// MPICH's extents without a word: they say where the second element of an array is. So the face
// decides.
#pragma once

namespace saguaro::mpi {

enum class bounds_rule : bool {
    marked,    // MPI 4.1, 5.1.6: where some are set, the least and greatest of those that are set
    outermost, // MPICH: the least and greatest of all, and a struct is rounded up to its alignment
};

// A face that has another rule says so before any type is made, while its library is loaded. After
// that all threads read it.
inline constinit bounds_rule bounds_by = bounds_rule::marked;

} // namespace saguaro::mpi
