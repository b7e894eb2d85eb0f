// SPDX-License-Identifier: MIT
// Collectives whose end is a request's: those that do not block, and persistent ones. And those
// among the neighbours of a topology.
#pragma once

#include "mpi/core/interface/handles.hpp"

#include <cstdint>

namespace saguaro::mpi::core {

// ---- Among neighbours ----

int neighbor_allgather(const void *sent, std::int64_t send_count, datatype send_type,
                       void *received, std::int64_t receive_count, datatype receive_type, comm on);
int neighbor_allgatherv(const void *sent, std::int64_t send_count, datatype send_type,
                        void *received, const std::int64_t *receive_counts,
                        const std::int64_t *places, datatype receive_type, comm on);
int neighbor_alltoall(const void *sent, std::int64_t send_count, datatype send_type, void *received,
                      std::int64_t receive_count, datatype receive_type, comm on);
int neighbor_alltoallv(const void *sent, const std::int64_t *send_counts,
                       const std::int64_t *send_places, datatype send_type, void *received,
                       const std::int64_t *receive_counts, const std::int64_t *receive_places,
                       datatype receive_type, comm on);
int neighbor_alltoallw(const void *sent, const std::int64_t *send_counts,
                       const std::int64_t *send_places, const datatype *send_types, void *received,
                       const std::int64_t *receive_counts, const std::int64_t *receive_places,
                       const datatype *receive_types, comm on);

// ---- That begin at once ----

int ibarrier(comm on, request *out);
int ibcast(void *buffer, std::int64_t count, datatype type, int root, comm on, request *out);
int igather(const void *sent, std::int64_t send_count, datatype send_type, void *received,
            std::int64_t receive_count, datatype receive_type, int root, comm on, request *out);
int igatherv(const void *sent, std::int64_t send_count, datatype send_type, void *received,
             const std::int64_t *receive_counts, const std::int64_t *places, datatype receive_type,
             int root, comm on, request *out);
int iscatter(const void *sent, std::int64_t send_count, datatype send_type, void *received,
             std::int64_t receive_count, datatype receive_type, int root, comm on, request *out);
int iscatterv(const void *sent, const std::int64_t *send_counts, const std::int64_t *places,
              datatype send_type, void *received, std::int64_t receive_count, datatype receive_type,
              int root, comm on, request *out);
int iallgather(const void *sent, std::int64_t send_count, datatype send_type, void *received,
               std::int64_t receive_count, datatype receive_type, comm on, request *out);
int iallgatherv(const void *sent, std::int64_t send_count, datatype send_type, void *received,
                const std::int64_t *receive_counts, const std::int64_t *places,
                datatype receive_type, comm on, request *out);
int ialltoall(const void *sent, std::int64_t send_count, datatype send_type, void *received,
              std::int64_t receive_count, datatype receive_type, comm on, request *out);
int ialltoallv(const void *sent, const std::int64_t *send_counts, const std::int64_t *send_places,
               datatype send_type, void *received, const std::int64_t *receive_counts,
               const std::int64_t *receive_places, datatype receive_type, comm on, request *out);
int ialltoallw(const void *sent, const std::int64_t *send_counts, const std::int64_t *send_places,
               const datatype *send_types, void *received, const std::int64_t *receive_counts,
               const std::int64_t *receive_places, const datatype *receive_types, comm on,
               request *out);
int ireduce(const void *sent, void *received, std::int64_t count, datatype type, op which, int root,
            comm on, request *out);
int iallreduce(const void *sent, void *received, std::int64_t count, datatype type, op which,
               comm on, request *out);
int ireduce_scatter(const void *sent, void *received, const std::int64_t *counts, datatype type,
                    op which, comm on, request *out);
int ireduce_scatter_block(const void *sent, void *received, std::int64_t count, datatype type,
                          op which, comm on, request *out);
int iscan(const void *sent, void *received, std::int64_t count, datatype type, op which, comm on,
          request *out);
int iexscan(const void *sent, void *received, std::int64_t count, datatype type, op which, comm on,
            request *out);
int ineighbor_allgather(const void *sent, std::int64_t send_count, datatype send_type,
                        void *received, std::int64_t receive_count, datatype receive_type, comm on,
                        request *out);
int ineighbor_allgatherv(const void *sent, std::int64_t send_count, datatype send_type,
                         void *received, const std::int64_t *receive_counts,
                         const std::int64_t *places, datatype receive_type, comm on, request *out);
int ineighbor_alltoall(const void *sent, std::int64_t send_count, datatype send_type,
                       void *received, std::int64_t receive_count, datatype receive_type, comm on,
                       request *out);
int ineighbor_alltoallv(const void *sent, const std::int64_t *send_counts,
                        const std::int64_t *send_places, datatype send_type, void *received,
                        const std::int64_t *receive_counts, const std::int64_t *receive_places,
                        datatype receive_type, comm on, request *out);
int ineighbor_alltoallw(const void *sent, const std::int64_t *send_counts,
                        const std::int64_t *send_places, const datatype *send_types, void *received,
                        const std::int64_t *receive_counts, const std::int64_t *receive_places,
                        const datatype *receive_types, comm on, request *out);

// ---- That MPI_Start begins ----

int barrier_init(comm on, info, request *out);
int bcast_init(void *buffer, std::int64_t count, datatype type, int root, comm on, info,
               request *out);
int gather_init(const void *sent, std::int64_t send_count, datatype send_type, void *received,
                std::int64_t receive_count, datatype receive_type, int root, comm on, info,
                request *out);
int gatherv_init(const void *sent, std::int64_t send_count, datatype send_type, void *received,
                 const std::int64_t *receive_counts, const std::int64_t *places,
                 datatype receive_type, int root, comm on, info, request *out);
int scatter_init(const void *sent, std::int64_t send_count, datatype send_type, void *received,
                 std::int64_t receive_count, datatype receive_type, int root, comm on, info,
                 request *out);
int scatterv_init(const void *sent, const std::int64_t *send_counts, const std::int64_t *places,
                  datatype send_type, void *received, std::int64_t receive_count,
                  datatype receive_type, int root, comm on, info, request *out);
int allgather_init(const void *sent, std::int64_t send_count, datatype send_type, void *received,
                   std::int64_t receive_count, datatype receive_type, comm on, info, request *out);
int allgatherv_init(const void *sent, std::int64_t send_count, datatype send_type, void *received,
                    const std::int64_t *receive_counts, const std::int64_t *places,
                    datatype receive_type, comm on, info, request *out);
int alltoall_init(const void *sent, std::int64_t send_count, datatype send_type, void *received,
                  std::int64_t receive_count, datatype receive_type, comm on, info, request *out);
int alltoallv_init(const void *sent, const std::int64_t *send_counts,
                   const std::int64_t *send_places, datatype send_type, void *received,
                   const std::int64_t *receive_counts, const std::int64_t *receive_places,
                   datatype receive_type, comm on, info, request *out);
int alltoallw_init(const void *sent, const std::int64_t *send_counts,
                   const std::int64_t *send_places, const datatype *send_types, void *received,
                   const std::int64_t *receive_counts, const std::int64_t *receive_places,
                   const datatype *receive_types, comm on, info, request *out);
int reduce_init(const void *sent, void *received, std::int64_t count, datatype type, op which,
                int root, comm on, info, request *out);
int allreduce_init(const void *sent, void *received, std::int64_t count, datatype type, op which,
                   comm on, info, request *out);
int reduce_scatter_init(const void *sent, void *received, const std::int64_t *counts, datatype type,
                        op which, comm on, info, request *out);
int reduce_scatter_block_init(const void *sent, void *received, std::int64_t count, datatype type,
                              op which, comm on, info, request *out);
int scan_init(const void *sent, void *received, std::int64_t count, datatype type, op which,
              comm on, info, request *out);
int exscan_init(const void *sent, void *received, std::int64_t count, datatype type, op which,
                comm on, info, request *out);
int neighbor_allgather_init(const void *sent, std::int64_t send_count, datatype send_type,
                            void *received, std::int64_t receive_count, datatype receive_type,
                            comm on, info, request *out);
int neighbor_allgatherv_init(const void *sent, std::int64_t send_count, datatype send_type,
                             void *received, const std::int64_t *receive_counts,
                             const std::int64_t *places, datatype receive_type, comm on, info,
                             request *out);
int neighbor_alltoall_init(const void *sent, std::int64_t send_count, datatype send_type,
                           void *received, std::int64_t receive_count, datatype receive_type,
                           comm on, info, request *out);
int neighbor_alltoallv_init(const void *sent, const std::int64_t *send_counts,
                            const std::int64_t *send_places, datatype send_type, void *received,
                            const std::int64_t *receive_counts, const std::int64_t *receive_places,
                            datatype receive_type, comm on, info, request *out);
int neighbor_alltoallw_init(const void *sent, const std::int64_t *send_counts,
                            const std::int64_t *send_places, const datatype *send_types,
                            void *received, const std::int64_t *receive_counts,
                            const std::int64_t *receive_places, const datatype *receive_types,
                            comm on, info, request *out);

} // namespace saguaro::mpi::core
