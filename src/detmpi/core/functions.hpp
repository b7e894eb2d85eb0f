// SPDX-License-Identifier: MIT
// MPI's functions as the core has them, which the faces call. The C binding's names, without MPI_
// and in lower case, and its order of arguments. Counts and displacements are 64 bits wide, arrays
// of them too; handles are the core's. Each returns an error class, which is 0 for success, and
// which the caller passes to `raise`. A null status is MPI_STATUS_IGNORE, a null array of them
// MPI_STATUSES_IGNORE.
#pragma once

#include "detmpi/core/callbacks.hpp"
#include "detmpi/core/constants.hpp"
#include "detmpi/core/handles.hpp"
#include "detmpi/core/status.hpp"

#include <cstdint>

namespace saguaro::detmpi::core {

// ---- The process ----

// Arguments are left alone.
// Whether the calls that need MPI may be made: between MPI_Init and MPI_Finalize.
bool active();
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
int get_library_version(char *version, int *length);
// MPI_Pcontrol(2, cost): the clock of the rule goes on by the cost, declared before the work.
int declare_cost(std::int64_t cost);

// ---- Errors ----

// Calls the error handler of a communicator, and returns what the function is to return. With
// comm::null the one of MPI_COMM_SELF. Returns 0 at once if there is no error.
int raise(comm on, int error, const char *function);
// An object of another kind has no error handler of its own so far.
template <class handle>
int raise(handle, int error, const char *function) {
    return raise(comm::null, error, function);
}
int error_class(int code, int *out);
int error_string(int code, char *text, int *length);
int comm_create_errhandler(error_function<comm> function, errhandler *out);
int comm_set_errhandler(comm on, errhandler which);
int comm_get_errhandler(comm on, errhandler *out);
int comm_call_errhandler(comm on, int code);
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
int buffer_attach(void *buffer, std::int64_t size);
int buffer_detach(void *address, std::int64_t *size);

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
int type_match_size(int type_class, int size, datatype *out);
int type_dup(datatype old, datatype *out);
int type_commit(datatype *which);
int type_free(datatype *which);
int type_size(datatype of, std::int64_t *out);
int type_get_extent(datatype of, std::int64_t *lower_bound, std::int64_t *extent);
int type_get_true_extent(datatype of, std::int64_t *lower_bound, std::int64_t *extent);
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
int comm_split_type(comm from, int split_type, int key, info hints, comm *out);
int comm_free(comm *which);
int comm_set_name(comm which, const char *name);
int comm_get_name(comm which, char *name, int *length);

int comm_create_keyval(attribute_copy<comm> copy, attribute_delete<comm> forget, int *keyval,
                       void *extra_state);
int comm_free_keyval(int *keyval);
int comm_set_attr(comm which, int keyval, void *value);
int comm_delete_attr(comm which, int keyval);
// Of a predefined key *value is the address of an int.
int comm_get_attr(comm which, int keyval, void **value, int *flag);

// ---- Collectives ----

int barrier(comm on);
int bcast(void *buffer, std::int64_t count, datatype type, int root, comm on);
int gather(const void *sent, std::int64_t send_count, datatype send_type, void *received,
           std::int64_t receive_count, datatype receive_type, int root, comm on);
int gatherv(const void *sent, std::int64_t send_count, datatype send_type, void *received,
            const std::int64_t *receive_counts, const std::int64_t *places, datatype receive_type,
            int root, comm on);
int scatter(const void *sent, std::int64_t send_count, datatype send_type, void *received,
            std::int64_t receive_count, datatype receive_type, int root, comm on);
int scatterv(const void *sent, const std::int64_t *send_counts, const std::int64_t *places,
             datatype send_type, void *received, std::int64_t receive_count, datatype receive_type,
             int root, comm on);
int allgather(const void *sent, std::int64_t send_count, datatype send_type, void *received,
              std::int64_t receive_count, datatype receive_type, comm on);
int allgatherv(const void *sent, std::int64_t send_count, datatype send_type, void *received,
               const std::int64_t *receive_counts, const std::int64_t *places,
               datatype receive_type, comm on);
int alltoall(const void *sent, std::int64_t send_count, datatype send_type, void *received,
             std::int64_t receive_count, datatype receive_type, comm on);
int alltoallv(const void *sent, const std::int64_t *send_counts, const std::int64_t *send_places,
              datatype send_type, void *received, const std::int64_t *receive_counts,
              const std::int64_t *receive_places, datatype receive_type, comm on);
// Displacements in bytes.
int alltoallw(const void *sent, const std::int64_t *send_counts, const std::int64_t *send_places,
              const datatype *send_types, void *received, const std::int64_t *receive_counts,
              const std::int64_t *receive_places, const datatype *receive_types, comm on);
int reduce(const void *sent, void *received, std::int64_t count, datatype type, op which, int root,
           comm on);
int allreduce(const void *sent, void *received, std::int64_t count, datatype type, op which,
              comm on);
int reduce_scatter(const void *sent, void *received, const std::int64_t *counts, datatype type,
                   op which, comm on);
int reduce_scatter_block(const void *sent, void *received, std::int64_t count, datatype type,
                         op which, comm on);
int scan(const void *sent, void *received, std::int64_t count, datatype type, op which, comm on);
int exscan(const void *sent, void *received, std::int64_t count, datatype type, op which, comm on);
int reduce_local(const void *in, void *inout, std::int64_t count, datatype type, op which);

int op_create(reduction function, int commutes, op *out);
int op_free(op *which);
int op_commutative(op which, int *commutes);

} // namespace saguaro::detmpi::core
