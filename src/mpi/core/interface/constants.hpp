// SPDX-License-Identifier: MIT
// MPI's integer constants as the core has them: the values of the MPI 5 standard ABI. A face with
// other values converts them on the way in and out, so the core never sees those. The faces' table
// (functions/constants.txt) repeats the values, and generated code compares both.
#pragma once

namespace saguaro::mpi::abi {

// Error classes
inline constexpr int success = 0;
inline constexpr int err_buffer = 1;
inline constexpr int err_count = 2;
inline constexpr int err_type = 3;
inline constexpr int err_tag = 4;
inline constexpr int err_comm = 5;
inline constexpr int err_rank = 6;
inline constexpr int err_request = 7;
inline constexpr int err_root = 8;
inline constexpr int err_group = 9;
inline constexpr int err_op = 10;
inline constexpr int err_topology = 11;
inline constexpr int err_dims = 12;
inline constexpr int err_arg = 13;
inline constexpr int err_unknown = 14;
inline constexpr int err_truncate = 15;
inline constexpr int err_other = 16;
inline constexpr int err_intern = 17;
inline constexpr int err_pending = 18;
inline constexpr int err_in_status = 19;
inline constexpr int err_access = 20;
inline constexpr int err_amode = 21;
inline constexpr int err_assert = 22;
inline constexpr int err_bad_file = 23;
inline constexpr int err_base = 24;
inline constexpr int err_conversion = 25;
inline constexpr int err_disp = 26;
inline constexpr int err_dup_datarep = 27;
inline constexpr int err_file_exists = 28;
inline constexpr int err_file_in_use = 29;
inline constexpr int err_file = 30;
inline constexpr int err_info_key = 31;
inline constexpr int err_info_nokey = 32;
inline constexpr int err_info_value = 33;
inline constexpr int err_info = 34;
inline constexpr int err_io = 35;
inline constexpr int err_keyval = 36;
inline constexpr int err_locktype = 37;
inline constexpr int err_name = 38;
inline constexpr int err_no_mem = 39;
inline constexpr int err_not_same = 40;
inline constexpr int err_no_space = 41;
inline constexpr int err_no_such_file = 42;
inline constexpr int err_port = 43;
inline constexpr int err_quota = 44;
inline constexpr int err_read_only = 45;
inline constexpr int err_rma_attach = 46;
inline constexpr int err_rma_conflict = 47;
inline constexpr int err_rma_range = 48;
inline constexpr int err_rma_shared = 49;
inline constexpr int err_rma_sync = 50;
inline constexpr int err_service = 51;
inline constexpr int err_size = 52;
inline constexpr int err_spawn = 53;
inline constexpr int err_unsupported_datarep = 54;
inline constexpr int err_unsupported_operation = 55;
inline constexpr int err_win = 56;
inline constexpr int err_rma_flavor = 57;
inline constexpr int err_proc_aborted = 58;
inline constexpr int err_value_too_large = 59;
inline constexpr int err_session = 60;
inline constexpr int err_errhandler = 61;
inline constexpr int err_abi = 62;
inline constexpr int t_err_cannot_init = 1001;
inline constexpr int t_err_not_accessible = 1002;
inline constexpr int t_err_not_initialized = 1003;
inline constexpr int t_err_not_supported = 1004;
inline constexpr int t_err_memory = 1005;
inline constexpr int t_err_invalid = 1006;
inline constexpr int t_err_invalid_index = 1007;
inline constexpr int t_err_invalid_item = 1008;
inline constexpr int t_err_invalid_session = 1009;
inline constexpr int t_err_invalid_handle = 1010;
inline constexpr int t_err_invalid_name = 1011;
inline constexpr int t_err_out_of_handles = 1012;
inline constexpr int t_err_out_of_sessions = 1013;
inline constexpr int t_err_cvar_set_not_now = 1014;
inline constexpr int t_err_cvar_set_never = 1015;
inline constexpr int t_err_pvar_no_write = 1016;
inline constexpr int t_err_pvar_no_startstop = 1017;
inline constexpr int t_err_pvar_no_atomic = 1018;
inline constexpr int err_lastcode = 16383;

// Modes of opening a file
inline constexpr int mode_append = 1;
inline constexpr int mode_create = 2;
inline constexpr int mode_delete_on_close = 4;
inline constexpr int mode_excl = 8;
inline constexpr int mode_rdonly = 16;
inline constexpr int mode_rdwr = 32;
inline constexpr int mode_sequential = 64;
inline constexpr int mode_unique_open = 128;
inline constexpr int mode_wronly = 256;

// Assertions on windows
inline constexpr int mode_nocheck = 1024;
inline constexpr int mode_noprecede = 2048;
inline constexpr int mode_noput = 4096;
inline constexpr int mode_nostore = 8192;
inline constexpr int mode_nosucceed = 16384;

// Wildcards
inline constexpr int any_source = -1;
inline constexpr int any_tag = -2;

// Ranks that are none
inline constexpr int proc_null = -3;
inline constexpr int root = -4;

// No rank, no color, no count, no index
inline constexpr int undefined = -32766;

// Levels of threads
inline constexpr int thread_single = 0;
inline constexpr int thread_funneled = 1024;
inline constexpr int thread_serialized = 2048;
inline constexpr int thread_multiple = 4096;

// An array's order
inline constexpr int order_c = 12;
inline constexpr int order_fortran = 15;

// An array's distribution
inline constexpr int distribute_none = 16;
inline constexpr int distribute_block = 17;
inline constexpr int distribute_cyclic = 18;
inline constexpr int distribute_dflt_darg = 19;

// Combiners
inline constexpr int combiner_named = 101;
inline constexpr int combiner_dup = 102;
inline constexpr int combiner_contiguous = 103;
inline constexpr int combiner_vector = 104;
inline constexpr int combiner_hvector = 105;
inline constexpr int combiner_indexed = 106;
inline constexpr int combiner_hindexed = 107;
inline constexpr int combiner_indexed_block = 108;
inline constexpr int combiner_hindexed_block = 109;
inline constexpr int combiner_struct = 110;
inline constexpr int combiner_subarray = 111;
inline constexpr int combiner_darray = 112;
inline constexpr int combiner_f90_real = 113;
inline constexpr int combiner_f90_complex = 114;
inline constexpr int combiner_f90_integer = 115;
inline constexpr int combiner_resized = 116;
inline constexpr int combiner_value_index = 117;

// Classes of types, for MPI_Type_match_size
inline constexpr int typeclass_logical = 191;
inline constexpr int typeclass_integer = 192;
inline constexpr int typeclass_real = 193;
inline constexpr int typeclass_complex = 194;

// Results of comparisons
inline constexpr int ident = 201;
inline constexpr int congruent = 202;
inline constexpr int similar = 203;
inline constexpr int unequal = 204;

// Topologies
inline constexpr int cart = 211;
inline constexpr int graph = 212;
inline constexpr int dist_graph = 213;

// Types of MPI_Comm_split_type
inline constexpr int comm_type_shared = 221;
inline constexpr int comm_type_hw_unguided = 222;
inline constexpr int comm_type_hw_guided = 223;
inline constexpr int comm_type_resource_guided = 224;

// Locks on windows
inline constexpr int lock_exclusive = 301;
inline constexpr int lock_shared = 302;

// Flavors of windows
inline constexpr int win_flavor_create = 311;
inline constexpr int win_flavor_allocate = 312;
inline constexpr int win_flavor_dynamic = 313;
inline constexpr int win_flavor_shared = 314;

// Memory models of windows
inline constexpr int win_unified = 321;
inline constexpr int win_separate = 322;

// Where a file's offset counts from
inline constexpr int seek_cur = 401;
inline constexpr int seek_end = 402;
inline constexpr int seek_set = 403;

// No key
inline constexpr int keyval_invalid = 0;

// Predefined keys of communicators' attributes
inline constexpr int tag_ub = 501;
inline constexpr int io = 502;
inline constexpr int host = 503;
inline constexpr int wtime_is_global = 504;
inline constexpr int appnum = 505;
inline constexpr int lastusedcode = 506;
inline constexpr int universe_size = 507;

// Predefined keys of windows' attributes
inline constexpr int win_base = 601;
inline constexpr int win_disp_unit = 602;
inline constexpr int win_size = 603;
inline constexpr int win_create_flavor = 604;
inline constexpr int win_model = 605;

// MPI_T: safety of callbacks
inline constexpr int t_cb_require_none = 0;
inline constexpr int t_cb_require_mpi_restricted = 3;
inline constexpr int t_cb_require_thread_safe = 15;
inline constexpr int t_cb_require_async_signal_safe = 63;

// MPI_T: order of a source
inline constexpr int t_source_ordered = 1;
inline constexpr int t_source_unordered = 2;

// MPI_T: verbosity
inline constexpr int t_verbosity_user_basic = 9;
inline constexpr int t_verbosity_user_detail = 10;
inline constexpr int t_verbosity_user_all = 12;
inline constexpr int t_verbosity_tuner_basic = 17;
inline constexpr int t_verbosity_tuner_detail = 18;
inline constexpr int t_verbosity_tuner_all = 20;
inline constexpr int t_verbosity_mpidev_basic = 33;
inline constexpr int t_verbosity_mpidev_detail = 34;
inline constexpr int t_verbosity_mpidev_all = 36;

// MPI_T: what a variable is bound to
inline constexpr int t_bind_no_object = 1;
inline constexpr int t_bind_mpi_comm = 2;
inline constexpr int t_bind_mpi_datatype = 3;
inline constexpr int t_bind_mpi_errhandler = 4;
inline constexpr int t_bind_mpi_file = 5;
inline constexpr int t_bind_mpi_group = 6;
inline constexpr int t_bind_mpi_op = 7;
inline constexpr int t_bind_mpi_request = 8;
inline constexpr int t_bind_mpi_win = 9;
inline constexpr int t_bind_mpi_message = 10;
inline constexpr int t_bind_mpi_info = 11;
inline constexpr int t_bind_mpi_session = 12;

// MPI_T: scopes of control variables
inline constexpr int t_scope_constant = 1;
inline constexpr int t_scope_readonly = 2;
inline constexpr int t_scope_local = 3;
inline constexpr int t_scope_group = 4;
inline constexpr int t_scope_group_eq = 5;
inline constexpr int t_scope_all = 6;
inline constexpr int t_scope_all_eq = 7;

// MPI_T: classes of performance variables
inline constexpr int t_pvar_class_state = 1;
inline constexpr int t_pvar_class_level = 2;
inline constexpr int t_pvar_class_size = 3;
inline constexpr int t_pvar_class_percentage = 4;
inline constexpr int t_pvar_class_highwatermark = 5;
inline constexpr int t_pvar_class_lowwatermark = 6;
inline constexpr int t_pvar_class_counter = 7;
inline constexpr int t_pvar_class_aggregate = 8;
inline constexpr int t_pvar_class_timer = 9;
inline constexpr int t_pvar_class_generic = 10;

// Sizes of strings, with the final zero
inline constexpr int max_datarep_string = 128;
inline constexpr int max_error_string = 512;
inline constexpr int max_info_key = 256;
inline constexpr int max_info_val = 1024;
inline constexpr int max_library_version_string = 8192;
inline constexpr int max_object_name = 128;
inline constexpr int max_port_name = 1024;
inline constexpr int max_processor_name = 256;
inline constexpr int max_stringtag_len = 1024;
inline constexpr int max_pset_name_len = 1024;

// What MPI_Bsend needs beside a message
inline constexpr int bsend_overhead = 512;

} // namespace saguaro::mpi::abi
