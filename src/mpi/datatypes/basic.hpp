// SPDX-License-Identifier: MIT
// The machine's types that MPI's basic types stand for.
#pragma once

#include <cstdint>

namespace saguaro::mpi {

// What the bytes of a basic type mean to the processor; MPI_INT, MPI_INTEGER and MPI_INT32_T are
// all int32. Which operators a type allows depends also on its group.
enum class basic_kind : std::uint8_t {
    none, // no basic type: derived from several kinds
    int8,
    int16,
    int32,
    int64,
    int128,
    uint8,
    uint16,
    uint32,
    uint64,
    float16,
    float32,
    float64,
    float128,
    long_double,
    complex16, // two halves
    complex32, // two floats
    complex64, // two doubles
    complex128,
    complex_long_double,
    // A value and the int after it, at the place where a C struct has it; in Fortran's pairs both
    // are of one kind.
    float_int,
    double_int,
    long_int,
    int_int,
    short_int,
    long_double_int,
    float_float,
    double_double,
};

// The classes of types in the standard's table of operators (MPI 4.1, 6.9.2).
enum class basic_group : std::uint8_t {
    none,    // derived types
    integer, // of C and Fortran, MPI_AINT, MPI_COUNT, MPI_OFFSET
    floating,
    logical, // MPI_LOGICAL..., MPI_C_BOOL
    complex,
    byte,      // MPI_BYTE
    character, // MPI_CHAR, MPI_WCHAR, MPI_CHARACTER: no operator is for them
    pair,      // MPI_MINLOC and MPI_MAXLOC
    packed,    // MPI_PACKED: no operator
};

} // namespace saguaro::mpi
