// SPDX-License-Identifier: MIT
// MPI_SIZEOF of Open MPI's mpif.h: a procedure for each type and rank, all of which write the bytes
// of an element.
#include "mpi/fortran/face.hpp"

using saguaro::mpi::fortran::integer;

extern "C" {

#define NAMED(name, of) void name(void *, integer *, integer *) __attribute__((alias(of)))
#define OF_RANK(kind, rank)                                                                        \
    NAMED(mpi_sizeof_##kind##_##rank##_, "pmpi_sizeof_" #kind "_scalar_");                         \
    NAMED(pmpi_sizeof_##kind##_##rank##_, "pmpi_sizeof_" #kind "_scalar_")
#define SIZE(kind, bytes)                                                                          \
    void pmpi_sizeof_##kind##_scalar_(void *, integer *size, integer *error) {                     \
        *size = bytes;                                                                             \
        if (error != nullptr)                                                                      \
            *error = MPI_SUCCESS;                                                                  \
    }                                                                                              \
    NAMED(mpi_sizeof_##kind##_scalar_, "pmpi_sizeof_" #kind "_scalar_");                           \
    OF_RANK(kind, r1);                                                                             \
    OF_RANK(kind, r2);                                                                             \
    OF_RANK(kind, r3);                                                                             \
    OF_RANK(kind, r4);                                                                             \
    OF_RANK(kind, r5);                                                                             \
    OF_RANK(kind, r6);                                                                             \
    OF_RANK(kind, r7);                                                                             \
    OF_RANK(kind, r8);                                                                             \
    OF_RANK(kind, r9);                                                                             \
    OF_RANK(kind, r10);                                                                            \
    OF_RANK(kind, r11);                                                                            \
    OF_RANK(kind, r12);                                                                            \
    OF_RANK(kind, r13);                                                                            \
    OF_RANK(kind, r14);                                                                            \
    OF_RANK(kind, r15)
SIZE(character, 1);
SIZE(logical, 4);
SIZE(int8, 1);
SIZE(int16, 2);
SIZE(int32, 4);
SIZE(int64, 8);
SIZE(real32, 4);
SIZE(real64, 8);
SIZE(real128, 16);
SIZE(complex32, 8);
SIZE(complex64, 16);
SIZE(complex128, 32);

} // extern "C"
