// SPDX-License-Identifier: MIT
// The functions that MPI itself has in Fortran: for attributes, and those that do nothing.
#include "mpi/fortran/face.hpp"

namespace {

using saguaro::mpi::fortran::integer;

template <class value>
void duplicate(const value *in, value *out, integer *flag, integer *error) {
    *out = *in;
    *flag = 1;
    *error = MPI_SUCCESS;
}

void nothing(integer *flag, integer *error) {
    *flag = 0;
    *error = MPI_SUCCESS;
}

} // namespace

extern "C" {

void mpi_dup_fn_(integer *, integer *, integer *, integer *in, integer *out, integer *flag,
                 integer *error) {
    duplicate(in, out, flag, error);
}

void mpi_comm_dup_fn_(integer *, integer *, MPI_Aint *, MPI_Aint *in, MPI_Aint *out, integer *flag,
                      integer *error) {
    duplicate(in, out, flag, error);
}

void mpi_null_copy_fn_(integer *, integer *, integer *, integer *, integer *, integer *flag,
                       integer *error) {
    nothing(flag, error);
}

void mpi_comm_null_copy_fn_(integer *, integer *, MPI_Aint *, MPI_Aint *, MPI_Aint *, integer *flag,
                            integer *error) {
    nothing(flag, error);
}

void mpi_null_delete_fn_(integer *, integer *, integer *, integer *, integer *error) {
    *error = MPI_SUCCESS;
}

void mpi_comm_null_delete_fn_(integer *, integer *, MPI_Aint *, MPI_Aint *, integer *error) {
    *error = MPI_SUCCESS;
}

// MPI_REGISTER_DATAREP knows this one by its address.
void mpi_conversion_fn_null_() {}

// It tells the compiler that the buffer may have changed, by being a call.
void mpi_f_sync_reg_(void *) {}

#define SAME(name, as) decltype(as) name __attribute__((alias(#as)))
SAME(mpi_type_dup_fn_, mpi_comm_dup_fn_);
SAME(mpi_win_dup_fn_, mpi_comm_dup_fn_);
SAME(mpi_type_null_copy_fn_, mpi_comm_null_copy_fn_);
SAME(mpi_win_null_copy_fn_, mpi_comm_null_copy_fn_);
SAME(mpi_type_null_delete_fn_, mpi_comm_null_delete_fn_);
SAME(mpi_win_null_delete_fn_, mpi_comm_null_delete_fn_);
SAME(pmpi_dup_fn_, mpi_dup_fn_);
SAME(pmpi_null_copy_fn_, mpi_null_copy_fn_);
SAME(pmpi_null_delete_fn_, mpi_null_delete_fn_);
SAME(pmpi_comm_dup_fn_, mpi_comm_dup_fn_);
SAME(pmpi_comm_null_copy_fn_, mpi_comm_null_copy_fn_);
SAME(pmpi_comm_null_delete_fn_, mpi_comm_null_delete_fn_);
SAME(pmpi_type_dup_fn_, mpi_comm_dup_fn_);
SAME(pmpi_type_null_copy_fn_, mpi_comm_null_copy_fn_);
SAME(pmpi_type_null_delete_fn_, mpi_comm_null_delete_fn_);
SAME(pmpi_win_dup_fn_, mpi_comm_dup_fn_);
SAME(pmpi_win_null_copy_fn_, mpi_comm_null_copy_fn_);
SAME(pmpi_win_null_delete_fn_, mpi_comm_null_delete_fn_);
SAME(pmpi_conversion_fn_null_, mpi_conversion_fn_null_);
SAME(pmpi_f_sync_reg_, mpi_f_sync_reg_);
SAME(mpi_f_sync_reg_f08ts_, mpi_f_sync_reg_);
SAME(pmpir_f_sync_reg_f08ts_, mpi_f_sync_reg_);

#ifdef DETMPI_OMPI // as Open MPI's mpi_f08 calls it
SAME(ompi_f_sync_reg_f, mpi_f_sync_reg_);
#endif

#ifdef DETMPI_MPICH // as programs have them that use MPICH's mpi_f08
SAME(__mpi_f08_callbacks_MOD_mpi_comm_dup_fn, mpi_comm_dup_fn_);
SAME(__mpi_f08_callbacks_MOD_mpi_type_dup_fn, mpi_comm_dup_fn_);
SAME(__mpi_f08_callbacks_MOD_mpi_win_dup_fn, mpi_comm_dup_fn_);
SAME(__mpi_f08_callbacks_MOD_mpi_comm_null_copy_fn, mpi_comm_null_copy_fn_);
SAME(__mpi_f08_callbacks_MOD_mpi_type_null_copy_fn, mpi_comm_null_copy_fn_);
SAME(__mpi_f08_callbacks_MOD_mpi_win_null_copy_fn, mpi_comm_null_copy_fn_);
SAME(__mpi_f08_callbacks_MOD_mpi_comm_null_delete_fn, mpi_comm_null_delete_fn_);
SAME(__mpi_f08_callbacks_MOD_mpi_type_null_delete_fn, mpi_comm_null_delete_fn_);
SAME(__mpi_f08_callbacks_MOD_mpi_win_null_delete_fn, mpi_comm_null_delete_fn_);
SAME(__mpi_f08_callbacks_MOD_mpi_conversion_fn_null, mpi_conversion_fn_null_);
SAME(__mpi_f08_callbacks_MOD_mpi_conversion_fn_null_c, mpi_conversion_fn_null_);
#endif

} // extern "C"
