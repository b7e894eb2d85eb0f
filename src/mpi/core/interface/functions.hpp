// SPDX-License-Identifier: MIT
// MPI's functions as the core has them, which the faces call. The C binding's names, without MPI_
// and in lower case, and its order of arguments. Counts and displacements are 64 bits wide, arrays
// of them too; handles are the core's. Each returns an error class, which is 0 for success, and
// which the caller passes to `raise`. A null status is MPI_STATUS_IGNORE, a null array of them
// MPI_STATUSES_IGNORE.
#pragma once

#include "mpi/core/collectives/functions.hpp"
#include "mpi/core/files/functions.hpp"
#include "mpi/core/info/functions.hpp"
#include "mpi/core/interface/callbacks.hpp"
#include "mpi/core/interface/constants.hpp"
#include "mpi/core/interface/handles.hpp"
#include "mpi/core/interface/status.hpp"
#include "mpi/core/messages/functions.hpp"
#include "mpi/core/sessions/functions.hpp"
#include "mpi/core/spawn/functions.hpp"
#include "mpi/core/tools/functions.hpp"
#include "mpi/core/topologies/functions.hpp"
#include "mpi/core/waiting/threads.hpp"
#include "mpi/core/windows/functions.hpp"

#include <cstdint>

namespace saguaro::mpi::core {

// ---- The process ----

// Arguments are left alone.
// Whether the calls that need MPI may be made: between MPI_Init and MPI_Finalize.
bool active();
// Ends the program with a line, because one of them is made all the same. As in MPICH no error
// handler is asked: there is none, or none any more.
[[noreturn]] void end_untimely(const char *function);
int init(int *argc, char ***argv);
int init_thread(int *argc, char ***argv, int required, int *provided);
int initialized(int *flag);
int finalize();
int finalized(int *flag);
int query_thread(int *provided);
int is_thread_main(int *flag);
int abort(comm on, int code);
// Ends the process, and with it the job, without a line.
[[noreturn]] void end_job(int code);
double wtime();
double wtick();
int get_processor_name(char *name, int *length);
// *address is the memory: `address` is a pointer to a pointer.
int alloc_mem(std::int64_t size, info hints, void *address);
int free_mem(void *memory);
// Which parts of the machine the process is on; "true" says that it is on one of them alone.
int get_hw_resource_info(info *out);
// The Fortran that the library knows is gfortran's. Setting anything else is abi::err_abi.
int abi_get_info(info *out);
int abi_get_fortran_info(info *out);
int abi_set_fortran_info(info wanted);
int abi_get_fortran_booleans(int logical_size, void *logical_true, void *logical_false,
                             int *is_set);
int abi_set_fortran_booleans(int logical_size, void *logical_true, void *logical_false);
int get_library_version(char *version, int *length);
// MPI_Pcontrol(2, cost): the clock of the rule goes on by the cost, declared before the work.
int declare_cost(std::int64_t cost);

// ---- Errors ----

// Calls the error handler of an object, and returns what the function is to return. Where the
// handle is of no object, the handler is that of MPI_COMM_SELF, or of MPI_FILE_NULL for a file.
// While the program sets none at a window, or at a communicator or those that it was made of, that
// of MPI_COMM_WORLD is in its place, as in MPICH. What is returned is the error, or what the
// program's handler makes of it. Returns 0 at once if there is no error.
int raise(comm on, int error, const char *function);
int raise(win on, int error, const char *function);
int raise(file on, int error, const char *function);
int raise(session on, int error, const char *function);
// Of a function of requests or a matched message: the object is the communicator of the first
// that has failed, or MPI_COMM_SELF if the error is about none of them.
struct failed_request {};
int raise(failed_request on, int error, const char *function);
int error_class(int code, int *out);
int error_string(int code, char *text, int *length);
int add_error_class(int *out);
int add_error_code(int of_class, int *out);
int add_error_string(int code, const char *text);
int remove_error_class(int which);
int remove_error_code(int which);
int remove_error_string(int of_code);
int comm_create_errhandler(error_function<comm> function, errhandler *out);
int comm_set_errhandler(comm on, errhandler which);
int comm_get_errhandler(comm on, errhandler *out);
int comm_call_errhandler(comm on, int code);
int win_create_errhandler(error_function<win> function, errhandler *out);
int win_set_errhandler(win on, errhandler which);
int win_get_errhandler(win on, errhandler *out);
int win_call_errhandler(win on, int code);
int file_create_errhandler(error_function<file> function, errhandler *out);
int file_set_errhandler(file on, errhandler which);
int file_get_errhandler(file on, errhandler *out);
int file_call_errhandler(file on, int code);
int session_create_errhandler(error_function<session> function, errhandler *out);
int session_set_errhandler(session on, errhandler which);
int session_get_errhandler(session on, errhandler *out);
int session_call_errhandler(session on, int code);
int errhandler_free(errhandler *which);

// ---- Point to point ----

int send(const void *buffer, std::int64_t count, datatype type, int dest, int tag, comm on);
int bsend(const void *buffer, std::int64_t count, datatype type, int dest, int tag, comm on);
int ssend(const void *buffer, std::int64_t count, datatype type, int dest, int tag, comm on);
int rsend(const void *buffer, std::int64_t count, datatype type, int dest, int tag, comm on);
int recv(void *buffer, std::int64_t count, datatype type, int source, int tag, comm on,
         status *out);
int sendrecv(const void *send_buffer, std::int64_t send_count, datatype send_type, int dest,
             int send_tag, void *receive_buffer, std::int64_t receive_count, datatype receive_type,
             int source, int receive_tag, comm on, status *out);
int sendrecv_replace(void *buffer, std::int64_t count, datatype type, int dest, int send_tag,
                     int source, int receive_tag, comm on, status *out);
int isend(const void *buffer, std::int64_t count, datatype type, int dest, int tag, comm on,
          request *out);
int ibsend(const void *buffer, std::int64_t count, datatype type, int dest, int tag, comm on,
           request *out);
int issend(const void *buffer, std::int64_t count, datatype type, int dest, int tag, comm on,
           request *out);
int irsend(const void *buffer, std::int64_t count, datatype type, int dest, int tag, comm on,
           request *out);
int irecv(void *buffer, std::int64_t count, datatype type, int source, int tag, comm on,
          request *out);
int send_init(const void *buffer, std::int64_t count, datatype type, int dest, int tag, comm on,
              request *out);
int bsend_init(const void *buffer, std::int64_t count, datatype type, int dest, int tag, comm on,
               request *out);
int ssend_init(const void *buffer, std::int64_t count, datatype type, int dest, int tag, comm on,
               request *out);
int rsend_init(const void *buffer, std::int64_t count, datatype type, int dest, int tag, comm on,
               request *out);
int recv_init(void *buffer, std::int64_t count, datatype type, int source, int tag, comm on,
              request *out);
int start(request *which);
int startall(int count, request *which);

int wait(request *which, status *out);
int waitall(int count, request *which, status *out);
int waitany(int count, request *which, int *index, status *out);
int waitsome(int count, request *which, int *done, int *indices, status *out);
int test(request *which, int *flag, status *out);
int testall(int count, request *which, int *flag, status *out);
int testany(int count, request *which, int *index, int *flag, status *out);
int testsome(int count, request *which, int *done, int *indices, status *out);
int request_free(request *which);
int request_get_status(request which, int *flag, status *out);
int request_get_status_any(int count, const request *which, int *index, int *flag, status *out);
int request_get_status_all(int count, const request *which, int *flag, status *out);
int request_get_status_some(int count, const request *which, int *done, int *indices, status *out);
int grequest_start(grequest_query query, grequest_free free, grequest_cancel cancel,
                   void *extra_state, request *out);
int grequest_complete(request which);

int probe(int source, int tag, comm on, status *out);
int iprobe(int source, int tag, comm on, int *flag, status *out);
int mprobe(int source, int tag, comm on, message *taken, status *out);
int improbe(int source, int tag, comm on, int *flag, message *taken, status *out);
int mrecv(void *buffer, std::int64_t count, datatype type, message *taken, status *out);
int imrecv(void *buffer, std::int64_t count, datatype type, message *taken, request *out);

// ---- Datatypes ----

int type_contiguous(std::int64_t count, datatype old, datatype *out);
int type_vector(std::int64_t count, std::int64_t block, std::int64_t stride, datatype old,
                datatype *out);
int type_create_hvector(std::int64_t count, std::int64_t block, std::int64_t stride, datatype old,
                        datatype *out);
int type_indexed(std::int64_t count, const std::int64_t *blocks, const std::int64_t *places,
                 datatype old, datatype *out);
int type_create_hindexed(std::int64_t count, const std::int64_t *blocks, const std::int64_t *places,
                         datatype old, datatype *out);
int type_create_indexed_block(std::int64_t count, std::int64_t block, const std::int64_t *places,
                              datatype old, datatype *out);
int type_create_hindexed_block(std::int64_t count, std::int64_t block, const std::int64_t *places,
                               datatype old, datatype *out);
int type_create_struct(std::int64_t count, const std::int64_t *blocks, const std::int64_t *places,
                       const datatype *olds, datatype *out);
int type_create_resized(datatype old, std::int64_t lower_bound, std::int64_t extent, datatype *out);
int type_create_subarray(int dimensions, const std::int64_t *sizes, const std::int64_t *subsizes,
                         const std::int64_t *starts, int order, datatype old, datatype *out);
int type_create_darray(int processes, int rank, int dimensions, const std::int64_t *sizes,
                       const int *distributions, const int *arguments, const int *process_sizes,
                       int order, datatype old, datatype *out);
int type_create_f90_real(int precision, int range, datatype *out);
int type_create_f90_complex(int precision, int range, datatype *out);
int type_create_f90_integer(int range, datatype *out);
// datatype::null if there is no such pair.
int type_get_value_index(datatype value, datatype index, datatype *pair);
int type_match_size(int type_class, int size, datatype *out);
int type_dup(datatype old, datatype *out);
int type_commit(datatype *which);
int type_free(datatype *which);
int type_size(datatype of, std::int64_t *out);
int type_get_extent(datatype of, std::int64_t *lower_bound, std::int64_t *extent);
int type_get_true_extent(datatype of, std::int64_t *lower_bound, std::int64_t *extent);
// How a type was made, as its constructor was called; large counts are there if a count of that
// call does not fit into an int, or the call was one of _c.
int type_get_envelope(datatype of, std::int64_t *integers, std::int64_t *addresses,
                      std::int64_t *large_counts, std::int64_t *types, int *combiner);
int type_get_contents(datatype of, std::int64_t max_integers, std::int64_t max_addresses,
                      std::int64_t max_large_counts, std::int64_t max_types, int *integers,
                      std::int64_t *addresses, std::int64_t *large_counts, datatype *types);
int type_set_name(datatype which, const char *name);
int type_get_name(datatype which, char *name, int *length);
int get_count(const status *of, datatype type, std::int64_t *out);
int get_elements(const status *of, datatype type, std::int64_t *out);
int status_set_elements(status *of, datatype type, std::int64_t count);
int pack_size(std::int64_t count, datatype type, comm on, std::int64_t *size);
int pack(const void *in, std::int64_t count, datatype type, void *out, std::int64_t size,
         std::int64_t *position, comm on);
int unpack(const void *in, std::int64_t size, std::int64_t *position, void *out, std::int64_t count,
           datatype type, comm on);
int pack_external_size(const char *representation, std::int64_t count, datatype type,
                       std::int64_t *size);
int pack_external(const char *representation, const void *in, std::int64_t count, datatype type,
                  void *out, std::int64_t size, std::int64_t *position);
int unpack_external(const char *representation, const void *in, std::int64_t size,
                    std::int64_t *position, void *out, std::int64_t count, datatype type);

// ---- Groups ----

int group_size(group of, int *out);
int group_rank(group of, int *out);
int group_translate_ranks(group from, int count, const int *ranks, group to, int *out);
int group_compare(group a, group b, int *result);
int group_union(group a, group b, group *out);
int group_intersection(group a, group b, group *out);
int group_difference(group a, group b, group *out);
int group_incl(group of, int count, const int *ranks, group *out);
int group_excl(group of, int count, const int *ranks, group *out);
int group_range_incl(group of, int count, int (*ranges)[3], group *out);
int group_range_excl(group of, int count, int (*ranges)[3], group *out);
int group_free(group *which);

// ---- Communicators ----

// For the lengths of arrays; 0 and false of an invalid communicator. Of an intercommunicator
// `peers` counts the remote group.
std::int64_t peers(comm of);
std::int64_t local_size(comm of);
// Whether this rank is the root, or its group is the root's of an intercommunicator.
bool is_root(comm of, int root);

int comm_rank(comm of, int *out);
int comm_size(comm of, int *out);
int comm_remote_size(comm of, int *out);
int comm_group(comm of, group *out);
int comm_remote_group(comm of, group *out);
int comm_test_inter(comm of, int *flag);
int comm_compare(comm a, comm b, int *result);
// If an attribute cannot be copied, *out is comm::null.
int comm_dup(comm from, comm *out);
int comm_create(comm from, group members, comm *out);
int comm_create_group(comm from, group members, int tag, comm *out);
int comm_split(comm from, int color, int key, comm *out);
int comm_dup_with_info(comm from, info hints, comm *out);
int comm_idup(comm from, comm *out, request *done);
int comm_idup_with_info(comm from, info hints, comm *out, request *done);
int comm_create_from_group(group members, const char *tag, info hints, errhandler handler,
                           comm *out);
int comm_set_info(comm which, info hints);
int comm_get_info(comm which, info *out);
int comm_split_type(comm from, int split_type, int key, info hints, comm *out);
int comm_free(comm *which);
int comm_disconnect(comm *which);
int comm_set_name(comm which, const char *name);
int comm_get_name(comm which, char *name, int *length);

int intercomm_create(comm local, int local_leader, comm peers, int remote_leader, int tag,
                     comm *out);
int intercomm_create_from_groups(group local, int local_leader, group remote, int remote_leader,
                                 const char *tag, info hints, errhandler handler, comm *out);
int intercomm_merge(comm from, int high, comm *out);

// ---- Attributes ----

int comm_create_keyval(attribute_copy<comm> copy, attribute_delete<comm> forget, int *keyval,
                       void *extra_state);
int comm_free_keyval(int *keyval);
int comm_set_attr(comm which, int keyval, void *value);
int comm_delete_attr(comm which, int keyval);
// Of a predefined key *value is the address of an int.
int comm_get_attr(comm which, int keyval, void **value, int *flag);
int type_create_keyval(attribute_copy<datatype> copy, attribute_delete<datatype> forget,
                       int *keyval, void *extra_state);
int type_free_keyval(int *keyval);
int type_set_attr(datatype which, int keyval, void *value);
int type_delete_attr(datatype which, int keyval);
int type_get_attr(datatype which, int keyval, void **value, int *flag);
int win_create_keyval(attribute_copy<win> copy, attribute_delete<win> forget, int *keyval,
                      void *extra_state);
int win_free_keyval(int *keyval);
int win_set_attr(win which, int keyval, void *value);
int win_delete_attr(win which, int keyval);

// ---- Operators. The collectives are in collectives/functions.hpp ----

int reduce_local(const void *in, void *inout, std::int64_t count, datatype type, op which);
int op_create(reduction function, int commutes, op *out);
int op_free(op *which);
int op_commutative(op which, int *commutes);

} // namespace saguaro::mpi::core
