// SPDX-License-Identifier: MIT
// The C functions and constants of the face under this layer. The same sources make the Fortran
// library of each face: `DETMPI_MPICH` says which one a compilation is for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#ifdef DETMPI_MPICH
#include "mpich_declarations.hpp"
#else
#include "mpi.h"
#endif

#include <bit>

namespace saguaro::mpi::fortran {

using integer = int;        // default INTEGER, and default LOGICAL: gfortran's .true. is 1
using length = std::size_t; // of a CHARACTER argument, hidden behind the others

// An INTEGER that a program's function reads may be the lower half of a pointer: see callbacks.hpp.
static_assert(std::endian::native == std::endian::little);

#ifdef DETMPI_MPICH
inline constexpr bool is_mpich = true;
#else
inline constexpr bool is_mpich = false;
#endif

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

} // namespace saguaro::mpi::fortran
