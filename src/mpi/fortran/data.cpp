// SPDX-License-Identifier: MIT
// The special variables that programs refer to: addresses.hpp.
#include "mpi/fortran/addresses.hpp"

extern "C" {

#ifndef DETMPI_OMPI
alignas(32) decltype(mpipriv1_) mpipriv1_;
alignas(32) decltype(mpipriv2_) mpipriv2_;
alignas(32) decltype(mpiprivc_) mpiprivc_;
alignas(16) int mpifcmb5_;
alignas(16) int mpifcmb9_;
#endif

#if defined(DETMPI_MPICH)
char __mpi_f08_link_constants_MOD_mpi_argv_null;
char __mpi_f08_link_constants_MOD_mpi_argvs_null;
int __mpi_f08_link_constants_MOD_mpi_errcodes_ignore;
int __mpi_f08_link_constants_MOD_mpi_unweighted;
int __mpi_f08_link_constants_MOD_mpi_weights_empty;
#elif !defined(DETMPI_OMPI)
alignas(16) int detmpi_buffer_automatic_;
#endif

} // extern "C"
