// SPDX-License-Identifier: MIT
// The C functions and constants of the face under this layer. The same sources make the Fortran
// library of each face: `DETMPI_MPICH` or `DETMPI_OMPI` says which one a compilation is for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#if defined(DETMPI_MPICH)
#include "mpich_declarations.hpp"
#elif defined(DETMPI_OMPI)
#include "ompi_declarations.hpp"
#else
#include "mpi.h"
#endif

#include <bit>

namespace saguaro::mpi::fortran {

using integer = int; // default INTEGER, and default LOGICAL: gfortran's .true. is 1
// Of a CHARACTER argument, hidden behind the others. Open MPI's mpi_f08 passes an INTEGER there, so
// that face reads the lower half alone.
#ifdef DETMPI_OMPI
using length = unsigned;
#else
using length = std::size_t;
#endif

// An INTEGER that a program's function reads may be the lower half of a pointer: see callbacks.hpp.
static_assert(std::endian::native == std::endian::little);

#ifdef DETMPI_MPICH
inline constexpr bool is_mpich = true;
#else
inline constexpr bool is_mpich = false;
#endif

#ifdef DETMPI_OMPI
// A handle of C is a pointer, and the INTEGER a number that C knows it by.
template <class handle>
handle to_c(integer value);
#define SG_FORTRAN_HANDLE(kind, name)                                                              \
    template <>                                                                                    \
    inline kind to_c<kind>(integer value) {                                                        \
        return PMPI_##name##_f2c(value);                                                           \
    }                                                                                              \
    inline integer to_fortran(kind value) {                                                        \
        return PMPI_##name##_c2f(value);                                                           \
    }
SG_FORTRAN_HANDLE(MPI_Comm, Comm)
SG_FORTRAN_HANDLE(MPI_Datatype, Type)
SG_FORTRAN_HANDLE(MPI_Errhandler, Errhandler)
SG_FORTRAN_HANDLE(MPI_File, File)
SG_FORTRAN_HANDLE(MPI_Group, Group)
SG_FORTRAN_HANDLE(MPI_Info, Info)
SG_FORTRAN_HANDLE(MPI_Message, Message)
SG_FORTRAN_HANDLE(MPI_Op, Op)
SG_FORTRAN_HANDLE(MPI_Request, Request)
SG_FORTRAN_HANDLE(MPI_Session, Session)
SG_FORTRAN_HANDLE(MPI_Win, Win)
#undef SG_FORTRAN_HANDLE
#else
// A handle of C is the INTEGER, or a pointer that has its value.
template <class handle>
handle to_c(integer value) {
    if constexpr (std::is_pointer_v<handle>)
        return reinterpret_cast<handle>(std::uintptr_t{static_cast<std::uint32_t>(value)});
    else
        return value;
}

template <class handle>
integer to_fortran(handle value) {
    if constexpr (std::is_pointer_v<handle>)
        return static_cast<integer>(reinterpret_cast<std::uintptr_t>(value));
    else
        return value;
}
#endif

} // namespace saguaro::mpi::fortran
