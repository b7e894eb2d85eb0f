// SPDX-License-Identifier: MIT
// The functions and data, besides handles, that programs compiled for Open MPI refer to.
#include "mpi/faces/ompi_types.hpp"

extern "C" {

// Fortran's own special objects are known by their addresses. Each is a common block, so a Fortran
// program has it itself, and this library's is bound to the program's.
int mpi_fortran_bottom_;
int mpi_fortran_in_place_;
int mpi_fortran_unweighted_[1];
int mpi_fortran_weights_empty_[1];
int mpi_fortran_errcodes_ignore_[1];
int mpi_fortran_status_ignore_[6];
int mpi_fortran_statuses_ignore_[6];
char mpi_fortran_argv_null_;
char mpi_fortran_argvs_null_;
MPI_Fint *MPI_F_STATUS_IGNORE = mpi_fortran_status_ignore_;
MPI_Fint *MPI_F_STATUSES_IGNORE = mpi_fortran_statuses_ignore_;

#define SG_ATTRIBUTE_FUNCTIONS(kind, handle)                                                       \
    int OMPI_C_MPI_##kind##NULL_DELETE_FN(handle, int, void *, void *) {                           \
        return 0;                                                                                  \
    }                                                                                              \
    int OMPI_C_MPI_##kind##NULL_COPY_FN(handle, int, void *, void *, void *, int *flag) {          \
        *flag = 0;                                                                                 \
        return 0;                                                                                  \
    }                                                                                              \
    int OMPI_C_MPI_##kind##DUP_FN(handle, int, void *, void *in, void *out, int *flag) {           \
        *static_cast<void **>(out) = in;                                                           \
        *flag = 1;                                                                                 \
        return 0;                                                                                  \
    }
SG_ATTRIBUTE_FUNCTIONS(, MPI_Comm) // what MPI 2 deprecated
SG_ATTRIBUTE_FUNCTIONS(COMM_, MPI_Comm)
SG_ATTRIBUTE_FUNCTIONS(TYPE_, MPI_Datatype)
SG_ATTRIBUTE_FUNCTIONS(WIN_, MPI_Win)

// Of Open MPI's own: a program must not pass memory of a graphics processor.
int MPIX_Query_cuda_support(void) {
    return 0;
}

} // extern "C"
