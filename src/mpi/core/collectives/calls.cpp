// SPDX-License-Identifier: MIT
// The names of all calls that are collectives, to tell them by the marks in their messages.
#include "mpi/core/collectives/calls.hpp"

#include <cstddef>
#include <iterator>

namespace saguaro::mpi {

namespace {

constexpr const char *names_of_calls[] = {
    "MPI_Allgather",
    "MPI_Allgather_init",
    "MPI_Allgatherv",
    "MPI_Allgatherv_init",
    "MPI_Allreduce",
    "MPI_Allreduce_init",
    "MPI_Alltoall",
    "MPI_Alltoall_init",
    "MPI_Alltoallv",
    "MPI_Alltoallv_init",
    "MPI_Alltoallw",
    "MPI_Alltoallw_init",
    "MPI_Barrier",
    "MPI_Barrier_init",
    "MPI_Bcast",
    "MPI_Bcast_init",
    "MPI_Comm_accept",
    "MPI_Comm_connect",
    "MPI_Comm_create",
    "MPI_Comm_create_from_group",
    "MPI_Comm_create_group",
    "MPI_Comm_dup",
    "MPI_Comm_join",
    "MPI_Comm_spawn",
    "MPI_Comm_spawn_multiple",
    "MPI_Comm_split",
    "MPI_Dist_graph_create",
    "MPI_Dist_graph_create_adjacent",
    "MPI_Exscan",
    "MPI_Exscan_init",
    "MPI_File_close",
    "MPI_File_iread_all",
    "MPI_File_iread_at_all",
    "MPI_File_iwrite_all",
    "MPI_File_iwrite_at_all",
    "MPI_File_open",
    "MPI_File_preallocate",
    "MPI_File_read_all",
    "MPI_File_read_all_begin",
    "MPI_File_read_at_all",
    "MPI_File_read_at_all_begin",
    "MPI_File_read_ordered",
    "MPI_File_read_ordered_begin",
    "MPI_File_seek_shared",
    "MPI_File_set_atomicity",
    "MPI_File_set_size",
    "MPI_File_set_view",
    "MPI_File_sync",
    "MPI_File_write_all",
    "MPI_File_write_all_begin",
    "MPI_File_write_at_all",
    "MPI_File_write_at_all_begin",
    "MPI_File_write_ordered",
    "MPI_File_write_ordered_begin",
    "MPI_Gather",
    "MPI_Gather_init",
    "MPI_Gatherv",
    "MPI_Gatherv_init",
    "MPI_Iallgather",
    "MPI_Iallgatherv",
    "MPI_Iallreduce",
    "MPI_Ialltoall",
    "MPI_Ialltoallv",
    "MPI_Ialltoallw",
    "MPI_Ibarrier",
    "MPI_Ibcast",
    "MPI_Iexscan",
    "MPI_Igather",
    "MPI_Igatherv",
    "MPI_Ineighbor_allgather",
    "MPI_Ineighbor_allgatherv",
    "MPI_Ineighbor_alltoall",
    "MPI_Ineighbor_alltoallv",
    "MPI_Ineighbor_alltoallw",
    "MPI_Intercomm_create",
    "MPI_Intercomm_create_from_groups",
    "MPI_Intercomm_merge",
    "MPI_Ireduce",
    "MPI_Ireduce_scatter",
    "MPI_Ireduce_scatter_block",
    "MPI_Iscan",
    "MPI_Iscatter",
    "MPI_Iscatterv",
    "MPI_Neighbor_allgather",
    "MPI_Neighbor_allgather_init",
    "MPI_Neighbor_allgatherv",
    "MPI_Neighbor_allgatherv_init",
    "MPI_Neighbor_alltoall",
    "MPI_Neighbor_alltoall_init",
    "MPI_Neighbor_alltoallv",
    "MPI_Neighbor_alltoallv_init",
    "MPI_Neighbor_alltoallw",
    "MPI_Neighbor_alltoallw_init",
    "MPI_Reduce",
    "MPI_Reduce_init",
    "MPI_Reduce_scatter",
    "MPI_Reduce_scatter_block",
    "MPI_Reduce_scatter_block_init",
    "MPI_Reduce_scatter_init",
    "MPI_Scan",
    "MPI_Scan_init",
    "MPI_Scatter",
    "MPI_Scatter_init",
    "MPI_Scatterv",
    "MPI_Scatterv_init",
    "MPI_Win_allocate",
    "MPI_Win_allocate_shared",
    "MPI_Win_create",
    "MPI_Win_create_dynamic",
    "MPI_Win_fence",
};

constexpr bool have_marks_of_their_own() {
    for (std::size_t i = 0; i < std::size(names_of_calls); ++i)
        for (std::size_t j = 0; j < i; ++j)
            if (collective_call::named(names_of_calls[i]).mark() ==
                collective_call::named(names_of_calls[j]).mark())
                return false;
    return true;
}
static_assert(have_marks_of_their_own());

} // namespace

const char *name_of_call(std::uint16_t mark) {
    for (const char *const name : names_of_calls)
        if (collective_call::named(name).mark() == mark)
            return name;
    return nullptr;
}

} // namespace saguaro::mpi
