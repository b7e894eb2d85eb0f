// SPDX-License-Identifier: MIT
// The C types of MPICH's ABI (12:x:0), by the names that the bindings have for them. A program that
// is compiled for MPICH has these sizes and layouts in its code.
#pragma once

using MPI_Comm = int;
using MPI_Group = int;
using MPI_Datatype = int;
using MPI_Request = int;
using MPI_Op = int;
using MPI_Errhandler = int;
using MPI_Info = int;
using MPI_Win = int;
using MPI_Session = int;
using MPI_Message = int;
// A pointer in MPICH, though no program looks behind it.
using MPI_File = struct ADIOI_FileD *;

struct MPI_Status {
    int count_lo;
    int count_hi_and_cancelled; // bit 0: cancelled; above it the upper half of the bytes
    int MPI_SOURCE;
    int MPI_TAG;
    int MPI_ERROR;
};

#include "mpi/faces/common_types.hpp"
