// SPDX-License-Identifier: MIT
// The procedures inside MPICH's modules: programs that use the modules call them by gfortran's
// names. The modules' constants are generated (functions/fortran_declarations.py).
#include "mpi/fortran/section.hpp"

namespace {

using namespace saguaro::mpi::fortran;

void write_size(integer size, integer *to, integer *error) {
    *to = size;
    if (error != nullptr)
        *error = MPI_SUCCESS;
}

} // namespace

extern "C" {

// Handles are compared with each other and with INTEGERs.
#define COMPARISON(name, compare)                                                                  \
    integer name(const integer *x, const integer *y) {                                             \
        return *x compare * y;                                                                     \
    }
#define COMPARISONS(kind)                                                                          \
    COMPARISON(__mpi_f08_types_MOD_mpi_##kind##_eq, ==)                                            \
    COMPARISON(__mpi_f08_types_MOD_mpi_##kind##_neq, !=)                                           \
    COMPARISON(__mpi_f08_types_MOD_mpi_##kind##_f08_eq_f, ==)                                      \
    COMPARISON(__mpi_f08_types_MOD_mpi_##kind##_f08_neq_f, !=)                                     \
    COMPARISON(__mpi_f08_types_MOD_mpi_##kind##_f_eq_f08, ==)                                      \
    COMPARISON(__mpi_f08_types_MOD_mpi_##kind##_f_neq_f08, !=)                                     \
    COMPARISON(__mpi_constants_MOD_##kind##eq, ==)                                                 \
    COMPARISON(__mpi_constants_MOD_##kind##neq, !=)
COMPARISONS(comm)
COMPARISONS(datatype)
COMPARISONS(errhandler)
COMPARISONS(file)
COMPARISONS(group)
COMPARISONS(info)
COMPARISONS(message)
COMPARISONS(op)
COMPARISONS(request)
COMPARISONS(session)
COMPARISONS(win)

// MPI_SIZEOF of mpi_f08 gets a descriptor, that of mpi one procedure a type.
#define SIZE_BY_DESCRIPTOR(kind)                                                                   \
    void __mpi_f08_types_MOD_mpi_sizeof_##kind(const descriptor *x, integer *size,                 \
                                               integer *error) {                                   \
        write_size(static_cast<integer>(x->element), size, error);                                 \
    }
SIZE_BY_DESCRIPTOR(character)
SIZE_BY_DESCRIPTOR(logical)
SIZE_BY_DESCRIPTOR(xint8)
SIZE_BY_DESCRIPTOR(xint16)
SIZE_BY_DESCRIPTOR(xint32)
SIZE_BY_DESCRIPTOR(xint64)
SIZE_BY_DESCRIPTOR(xreal32)
SIZE_BY_DESCRIPTOR(xreal64)
SIZE_BY_DESCRIPTOR(xreal128)
SIZE_BY_DESCRIPTOR(xcomplex32)
SIZE_BY_DESCRIPTOR(xcomplex64)
SIZE_BY_DESCRIPTOR(xcomplex128)

#define SIZE(kind, bytes)                                                                          \
    void __mpi_sizeofs_MOD_mpi_sizeof_##kind(void *, integer *size, integer *error) {              \
        write_size(bytes, size, error);                                                            \
    }                                                                                              \
    void __mpi_sizeofs_MOD_mpi_sizeof_##kind##v(void *, integer *size, integer *error) {           \
        write_size(bytes, size, error);                                                            \
    }
SIZE(ch, 1)
SIZE(cx, 8)
SIZE(d, 8)
SIZE(i, 4)
SIZE(i1, 1)
SIZE(i2, 2)
SIZE(i8, 8)
SIZE(l, 4)
SIZE(r, 4)

void __mpi_f08_types_MOD_mpi_status_f082f(const MPI_Status *from, MPI_Status *to, integer *error) {
    *to = *from;
    if (error != nullptr)
        *error = MPI_SUCCESS;
}

void __mpi_f08_types_MOD_mpi_status_f2f08(const MPI_Status *from, MPI_Status *to, integer *error) {
    __mpi_f08_types_MOD_mpi_status_f082f(from, to, error);
}

} // extern "C"
