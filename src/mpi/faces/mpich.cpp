// SPDX-License-Identifier: MIT
// The data and the function that programs compiled for MPICH refer to besides the MPI functions.
#include "mpi/core/interface/addresses.hpp"
#include "mpi/datatypes/bounds_rule.hpp"
#include "mpi/faces/mpich_types.hpp"

namespace addresses = saguaro::mpi::addresses;

namespace {

// Programs make no types before the library is loaded.
[[maybe_unused]] const auto rule = saguaro::mpi::bounds_by = saguaro::mpi::bounds_rule::outermost;

} // namespace

extern "C" {

// C programs read these; the core has the same values.
extern int *const MPI_UNWEIGHTED;
extern int *const MPI_WEIGHTS_EMPTY;
extern struct MPIR_T_pvar_handle_s *const MPI_T_PVAR_ALL_HANDLES;
int *const MPI_UNWEIGHTED = reinterpret_cast<int *>(addresses::unweighted);
int *const MPI_WEIGHTS_EMPTY = reinterpret_cast<int *>(addresses::weights_empty);
struct MPIR_T_pvar_handle_s *const MPI_T_PVAR_ALL_HANDLES =
    reinterpret_cast<struct MPIR_T_pvar_handle_s *>(std::uintptr_t{1});

// Fortran's own special objects are known by their addresses, which the Fortran layer writes here.
MPI_Fint *MPI_F_STATUS_IGNORE = nullptr;
MPI_Fint *MPI_F_STATUSES_IGNORE = nullptr;
MPI_F08_status MPIR_F08_MPI_STATUS_IGNORE_OBJ;
MPI_F08_status MPIR_F08_MPI_STATUSES_IGNORE_OBJ[1];
int MPIR_F08_MPI_IN_PLACE;
int MPIR_F08_MPI_BOTTOM;
MPI_F08_status *MPI_F08_STATUS_IGNORE = &MPIR_F08_MPI_STATUS_IGNORE_OBJ;
MPI_F08_status *MPI_F08_STATUSES_IGNORE = MPIR_F08_MPI_STATUSES_IGNORE_OBJ;

// MPI_DUP_FN, MPI_COMM_DUP_FN and the like.
int MPIR_Dup_fn(MPI_Comm, int, void *, void *attribute_in, void *attribute_out, int *flag) {
    *static_cast<void **>(attribute_out) = attribute_in;
    *flag = 1;
    return 0;
}

} // extern "C"
