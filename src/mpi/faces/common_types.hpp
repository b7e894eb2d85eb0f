// SPDX-License-Identifier: MIT
// The C types that MPICH's ABI and Open MPI's declare alike.
// They are made of each one's own handles and status: mpich_types.hpp and ompi_types.hpp declare
// these first.
#pragma once

#include <cstdint>

using MPI_Aint = std::intptr_t;
using MPI_Count = std::int64_t;
using MPI_Offset = std::int64_t;
using MPI_Fint = int;

using MPI_F08_status = MPI_Status;

using MPI_T_enum = struct MPIR_T_enum_s *;
using MPI_T_cvar_handle = struct MPIR_T_cvar_handle_s *;
using MPI_T_pvar_handle = struct MPIR_T_pvar_handle_s *;
using MPI_T_pvar_session = struct MPIR_T_pvar_session_s *;
using MPI_T_event_registration = struct MPIR_T_event_registration_s *;
using MPI_T_event_instance = struct MPIR_T_event_instance_s *;
enum MPI_T_cb_safety : unsigned {};
enum MPI_T_source_order : unsigned {};

using MPI_User_function = void(void *, void *, int *, MPI_Datatype *);
using MPI_User_function_c = void(void *, void *, MPI_Count *, MPI_Datatype *);
using MPI_Copy_function = int(MPI_Comm, int, void *, void *, void *, int *);
using MPI_Delete_function = int(MPI_Comm, int, void *, void *);
using MPI_Comm_copy_attr_function = int(MPI_Comm, int, void *, void *, void *, int *);
using MPI_Comm_delete_attr_function = int(MPI_Comm, int, void *, void *);
using MPI_Type_copy_attr_function = int(MPI_Datatype, int, void *, void *, void *, int *);
using MPI_Type_delete_attr_function = int(MPI_Datatype, int, void *, void *);
using MPI_Win_copy_attr_function = int(MPI_Win, int, void *, void *, void *, int *);
using MPI_Win_delete_attr_function = int(MPI_Win, int, void *, void *);
using MPI_Comm_errhandler_function = void(MPI_Comm *, int *, ...);
using MPI_File_errhandler_function = void(MPI_File *, int *, ...);
using MPI_Win_errhandler_function = void(MPI_Win *, int *, ...);
using MPI_Session_errhandler_function = void(MPI_Session *, int *, ...);
using MPI_Grequest_query_function = int(void *, MPI_Status *);
using MPI_Grequest_free_function = int(void *);
using MPI_Grequest_cancel_function = int(void *, int);
using MPI_Datarep_extent_function = int(MPI_Datatype, MPI_Aint *, void *);
using MPI_Datarep_conversion_function = int(void *, MPI_Datatype, int, void *, MPI_Offset, void *);
using MPI_Datarep_conversion_function_c = int(void *, MPI_Datatype, MPI_Count, void *, MPI_Offset,
                                              void *);
using MPI_T_event_cb_function = void(MPI_T_event_instance, MPI_T_event_registration,
                                     MPI_T_cb_safety, void *);
using MPI_T_event_free_cb_function = void(MPI_T_event_registration, MPI_T_cb_safety, void *);
using MPI_T_event_dropped_cb_function = void(MPI_Count, MPI_T_event_registration, int,
                                             MPI_T_cb_safety, void *);
