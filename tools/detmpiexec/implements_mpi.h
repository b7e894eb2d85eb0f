/* SPDX-License-Identifier: MIT */
/* Whether a file is an MPI library, or a program that has one inside: for the launcher and for the
   library that it loads into ranks. */
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

/* What a rank's processes note of another MPI library, at the rank's place in the launcher's file:
   its name and a null character. */
enum { SG_NOTE_BYTES = 512 };

enum sg_mpi_of_file {
    SG_NO_MPI,
    SG_MPI_INSIDE,    /* a program that the dynamic linker starts */
    SG_MPI_IN_STATIC, /* a program that nothing is loaded into, or a library */
};

/* Names of MPI libraries that other libraries need, each with the project's name of it. */
enum { SG_MPI_NAMES = 4 };

/* The place among these names of the one that a library needs; SG_MPI_NAMES if there is none. The
   name may have the number inside that auditwheel gives: libmpi-d26c8c51.so.12.3.1. Takes no memory
   and no lock. */
int sg_needed_mpi(const char *library);

/* The project's name of the library at that place. */
const char *sg_own_name(int place);

/* By the symbols: MPI libraries define PMPI_Init, and tools that only watch calls do not. Of a
   static program without symbols by its texts: the library's messages name MPI_Init_thread. Takes
   no memory and no lock. */
enum sg_mpi_of_file sg_implements_mpi(const char *file);

#ifdef __cplusplus
}
#endif
