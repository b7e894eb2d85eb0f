// SPDX-License-Identifier: MIT
// The types of Fortran's selected_real_kind and selected_int_kind.
#pragma once

#include "mpi/datatypes/datatype.hpp"

namespace saguaro::mpi {

// MPI_Type_create_f90_real, _complex and _integer: the type of the least kind of gfortran's that
// has these decimal digits and this decimal exponent range. Of the first two, one may be
// abi::undefined. The error is err_arg if there is no such kind. Programs do not free these types,
// and get one handle for each pair of arguments: datatype_table::add_f90().
int type_f90_real(int precision, int range, type_pointer *made);
int type_f90_complex(int precision, int range, type_pointer *made);
int type_f90_integer(int range, type_pointer *made);

} // namespace saguaro::mpi
