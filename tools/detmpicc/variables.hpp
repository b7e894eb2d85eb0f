// SPDX-License-Identifier: MIT
// The variables of the environment that detmpicc, a script, reads: for the manual.
#pragma once

#include "platform/settings.hpp"

namespace saguaro::detmpicc::variables {

inline constexpr platform::setting c{.name = "DETMPI_CC",
                                     .fallback = "cc",
                                     .accepted = "a compiler and its options",
                                     .meaning = "what detmpicc runs; after it MPICH_CC, OMPI_CC"};
inline constexpr platform::setting cxx{.name = "DETMPI_CXX",
                                       .fallback = "c++",
                                       .accepted = "a compiler and its options",
                                       .meaning =
                                           "what detmpicxx runs; after it MPICH_CXX, OMPI_CXX"};
inline constexpr platform::setting fortran{.name = "DETMPI_FC",
                                           .fallback = "gfortran",
                                           .accepted = "a compiler and its options",
                                           .meaning =
                                               "what detmpifort runs; after it MPICH_FC, OMPI_FC"};

inline constexpr const platform::setting *all[] = {&c, &cxx, &fortran};

} // namespace saguaro::detmpicc::variables
