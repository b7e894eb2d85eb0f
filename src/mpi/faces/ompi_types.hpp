// SPDX-License-Identifier: MIT
// The C types of Open MPI's ABI (libmpi.so.40), by the names that the bindings have for them. A
// program that is compiled for Open MPI has these sizes and layouts in its code.
#pragma once

#include <cstddef>

using MPI_Comm = struct ompi_communicator_t *;
using MPI_Group = struct ompi_group_t *;
using MPI_Datatype = struct ompi_datatype_t *;
using MPI_Request = struct ompi_request_t *;
using MPI_Op = struct ompi_op_t *;
using MPI_Errhandler = struct ompi_errhandler_t *;
using MPI_Info = struct ompi_info_t *;
using MPI_Win = struct ompi_win_t *;
using MPI_File = struct ompi_file_t *;
using MPI_Session = struct ompi_instance_t *;
using MPI_Message = struct ompi_message_t *;

struct MPI_Status {
    int MPI_SOURCE;
    int MPI_TAG;
    int MPI_ERROR;
    int cancelled;
    std::size_t bytes;
};

#include "mpi/faces/common_types.hpp"
