// SPDX-License-Identifier: MIT
// MPI_BOTTOM, MPI_IN_PLACE, MPI_STATUS_IGNORE and the like are variables in Fortran, which the
// library knows by their addresses. They stand in common blocks. In a program that was compiled for
// MPICH's mpi_f08 they are other variables, and that face has both.
#pragma once

#include "mpi/fortran/face.hpp"

extern "C" {

#ifdef DETMPI_OMPI
// C's library has them (../faces/ompi.cpp), for C's functions know them as well.
extern int mpi_fortran_bottom_, mpi_fortran_in_place_, mpi_fortran_unweighted_;
extern int mpi_fortran_weights_empty_, mpi_fortran_errcodes_ignore_;
extern int mpi_fortran_status_ignore_[], mpi_fortran_statuses_ignore_[];
extern char mpi_fortran_argv_null_, mpi_fortran_argvs_null_;
#else
// The names and the order of MPICH's mpif.h, aligned as gfortran aligns common blocks.
alignas(32) extern struct {
    int bottom, in_place, status_ignore[sizeof(MPI_Status) / sizeof(int)];
} mpipriv1_;
alignas(32) extern struct {
    int statuses_ignore[sizeof(MPI_Status) / sizeof(int)], errcodes_ignore;
} mpipriv2_;
alignas(32) extern struct {
    char argvs_null, argv_null;
} mpiprivc_;
alignas(16) extern int mpifcmb5_; // MPI_UNWEIGHTED
alignas(16) extern int mpifcmb9_; // MPI_WEIGHTS_EMPTY
#endif

#if defined(DETMPI_MPICH)
extern int MPIR_F08_MPI_BOTTOM, MPIR_F08_MPI_IN_PLACE;
extern MPI_Status MPIR_F08_MPI_STATUS_IGNORE_OBJ, MPIR_F08_MPI_STATUSES_IGNORE_OBJ[1];
extern char __mpi_f08_link_constants_MOD_mpi_argv_null, __mpi_f08_link_constants_MOD_mpi_argvs_null;
extern int __mpi_f08_link_constants_MOD_mpi_errcodes_ignore;
extern int __mpi_f08_link_constants_MOD_mpi_unweighted;
extern int __mpi_f08_link_constants_MOD_mpi_weights_empty;
#elif !defined(DETMPI_OMPI)
alignas(16) extern int detmpi_buffer_automatic_;
#endif

} // extern "C"

namespace saguaro::mpi::fortran {

template <class... variables>
bool is_one_of(const volatile void *p, const variables &...special) {
    return ((p == static_cast<const volatile void *>(&special)) || ...);
}

#if defined(DETMPI_MPICH)
inline void *c_buffer(void *p) {
    if (is_one_of(p, mpipriv1_.in_place, MPIR_F08_MPI_IN_PLACE))
        return MPI_IN_PLACE;
    return is_one_of(p, mpipriv1_.bottom, MPIR_F08_MPI_BOTTOM) ? MPI_BOTTOM : p;
}

inline bool is_ignored(const void *status) {
    return is_one_of(status, mpipriv1_.status_ignore, mpipriv2_.statuses_ignore,
                     MPIR_F08_MPI_STATUS_IGNORE_OBJ, MPIR_F08_MPI_STATUSES_IGNORE_OBJ);
}

inline int *c_weights(int *p) {
    if (is_one_of(p, mpifcmb5_, __mpi_f08_link_constants_MOD_mpi_unweighted))
        return MPI_UNWEIGHTED;
    if (is_one_of(p, mpifcmb9_, __mpi_f08_link_constants_MOD_mpi_weights_empty))
        return MPI_WEIGHTS_EMPTY;
    return p;
}

inline int *c_error_codes(int *p) {
    const bool ignored =
        is_one_of(p, mpipriv2_.errcodes_ignore, __mpi_f08_link_constants_MOD_mpi_errcodes_ignore);
    return ignored ? MPI_ERRCODES_IGNORE : p;
}

inline bool is_no_argv(const char *p) {
    return is_one_of(p, mpiprivc_.argv_null, mpiprivc_.argvs_null,
                     __mpi_f08_link_constants_MOD_mpi_argv_null,
                     __mpi_f08_link_constants_MOD_mpi_argvs_null);
}
#elif defined(DETMPI_OMPI)
inline void *c_buffer(void *p) {
    if (is_one_of(p, mpi_fortran_in_place_))
        return MPI_IN_PLACE;
    return is_one_of(p, mpi_fortran_bottom_) ? MPI_BOTTOM : p;
}

inline bool is_ignored(const void *status) {
    return status == mpi_fortran_status_ignore_ || status == mpi_fortran_statuses_ignore_;
}

inline int *c_weights(int *p) {
    if (is_one_of(p, mpi_fortran_unweighted_))
        return MPI_UNWEIGHTED;
    return is_one_of(p, mpi_fortran_weights_empty_) ? MPI_WEIGHTS_EMPTY : p;
}

inline int *c_error_codes(int *p) {
    return is_one_of(p, mpi_fortran_errcodes_ignore_) ? MPI_ERRCODES_IGNORE : p;
}

inline bool is_no_argv(const char *p) {
    return is_one_of(p, mpi_fortran_argv_null_, mpi_fortran_argvs_null_);
}
#else
inline void *c_buffer(void *p) {
    if (is_one_of(p, mpipriv1_.in_place))
        return MPI_IN_PLACE;
    if (is_one_of(p, detmpi_buffer_automatic_))
        return MPI_BUFFER_AUTOMATIC;
    return is_one_of(p, mpipriv1_.bottom) ? MPI_BOTTOM : p;
}

inline bool is_ignored(const void *status) {
    return is_one_of(status, mpipriv1_.status_ignore, mpipriv2_.statuses_ignore);
}

inline int *c_weights(int *p) {
    if (is_one_of(p, mpifcmb5_))
        return MPI_UNWEIGHTED;
    return is_one_of(p, mpifcmb9_) ? MPI_WEIGHTS_EMPTY : p;
}

inline int *c_error_codes(int *p) {
    return is_one_of(p, mpipriv2_.errcodes_ignore) ? MPI_ERRCODES_IGNORE : p;
}

inline bool is_no_argv(const char *p) {
    return is_one_of(p, mpiprivc_.argv_null, mpiprivc_.argvs_null);
}
#endif

// A status has the same ints in both languages.
inline MPI_Status *c_status(void *p) {
    return is_ignored(p) ? MPI_STATUS_IGNORE : static_cast<MPI_Status *>(p);
}

inline MPI_Status *c_statuses(void *p) {
    return is_ignored(p) ? MPI_STATUSES_IGNORE : static_cast<MPI_Status *>(p);
}

} // namespace saguaro::mpi::fortran
