// SPDX-License-Identifier: MIT
// Collectives among the neighbours of a topology: each rank sends to its destinations and receives
// from its sources, and no other rank takes part.
#include "mpi/core/collectives/stage.hpp"
#include "mpi/core/interface/functions.hpp"
#include "mpi/core/topologies/topology.hpp"

#include <cstddef>

namespace saguaro::mpi::core {

namespace {

int degree(const std::vector<int> &of) {
    return static_cast<int>(of.size());
}

// to(i), from(i): the elements for destination i, and where those of source i go.
template <class Stage, class To, class From>
int exchange_with_neighbours(Stage &all, const neighbourhood &near, To to, From from) {
    if (const int error = check_parts(degree(near.out), to))
        return error;
    if (const int error = check_parts(degree(near.in), from))
        return error;
    const bool is_cartesian = topology_of<cartesian>(all.on()) != nullptr;
    all.begin();
    for (int i = 0; i < degree(near.out); ++i)
        if (const int rank = near.out[static_cast<std::size_t>(i)]; rank != abi::proc_null)
            all.send(rank, to(i));
    // Messages from one rank come in the order of its destinations. If it is a Cartesian neighbour
    // below and above at once, what it sent to the one below it comes first: that is from above.
    for (int i = 0; i < degree(near.in); ++i) {
        const int source = is_cartesian ? i ^ 1 : i;
        if (const int rank = near.in[static_cast<std::size_t>(source)]; rank != abi::proc_null)
            all.receive(rank, from(source));
    }
    return all.end();
}

int open(stage &all, comm on, neighbourhood &near) {
    if (const int error = all.open(on))
        return error;
    return find_neighbourhood(all.on(), near) ? abi::success : abi::err_topology;
}

template <class Stage, class From>
int gather_from_neighbours(Stage &all, const void *sent, std::int64_t send_count,
                           datatype send_type, datatype receive_type, comm on, From from) {
    neighbourhood near;
    if (const int error = open(all, on, near))
        return error;
    typed_buffer own;
    if (const int error = all.buffer(own, sent, send_count, send_type))
        return error;
    const datatype_object *const type = all.type(receive_type);
    if (type == nullptr)
        return abi::err_type;
    return exchange_with_neighbours(
        all, near, [&](int) { return own; }, [&](int i) { return from(i, *type); });
}

template <class Stage>
int neighbor_allgather_by(Stage &&all, const void *sent, std::int64_t send_count,
                          datatype send_type, void *received, std::int64_t receive_count,
                          datatype receive_type, comm on) {
    return gather_from_neighbours(all, sent, send_count, send_type, receive_type, on,
                                  [&](int i, const datatype_object &type) {
                                      return elements(received, i * receive_count, receive_count,
                                                      type);
                                  });
}

template <class Stage>
int neighbor_allgatherv_by(Stage &&all, const void *sent, std::int64_t send_count,
                           datatype send_type, void *received, const std::int64_t *receive_counts,
                           const std::int64_t *places, datatype receive_type, comm on) {
    return gather_from_neighbours(all, sent, send_count, send_type, receive_type, on,
                                  [&](int i, const datatype_object &type) {
                                      return elements(received, places[i], receive_counts[i], type);
                                  });
}

template <class Stage>
int neighbor_alltoall_by(Stage &&all, const void *sent, std::int64_t send_count, datatype send_type,
                         void *received, std::int64_t receive_count, datatype receive_type,
                         comm on) {
    neighbourhood near;
    if (const int error = open(all, on, near))
        return error;
    const datatype_object *const s = all.type(send_type);
    const datatype_object *const r = all.type(receive_type);
    if (s == nullptr || r == nullptr)
        return abi::err_type;
    return exchange_with_neighbours(
        all, near, [&](int i) { return elements(sent, i * send_count, send_count, *s); },
        [&](int i) { return elements(received, i * receive_count, receive_count, *r); });
}

template <class Stage>
int neighbor_alltoallv_by(Stage &&all, const void *sent, const std::int64_t *send_counts,
                          const std::int64_t *send_places, datatype send_type, void *received,
                          const std::int64_t *receive_counts, const std::int64_t *receive_places,
                          datatype receive_type, comm on) {
    neighbourhood near;
    if (const int error = open(all, on, near))
        return error;
    const datatype_object *const s = all.type(send_type);
    const datatype_object *const r = all.type(receive_type);
    if (s == nullptr || r == nullptr)
        return abi::err_type;
    return exchange_with_neighbours(
        all, near, [&](int i) { return elements(sent, send_places[i], send_counts[i], *s); },
        [&](int i) { return elements(received, receive_places[i], receive_counts[i], *r); });
}

template <class Stage>
int neighbor_alltoallw_by(Stage &&all, const void *sent, const std::int64_t *send_counts,
                          const std::int64_t *send_places, const datatype *send_types,
                          void *received, const std::int64_t *receive_counts,
                          const std::int64_t *receive_places, const datatype *receive_types,
                          comm on) {
    neighbourhood near;
    if (const int error = open(all, on, near))
        return error;
    for (int i = 0; i < degree(near.out); ++i)
        if (all.type(send_types[i]) == nullptr)
            return abi::err_type;
    for (int i = 0; i < degree(near.in); ++i)
        if (all.type(receive_types[i]) == nullptr)
            return abi::err_type;
    return exchange_with_neighbours(
        all, near,
        [&](int i) { return elements_at(sent, send_places[i], send_counts[i], send_types[i]); },
        [&](int i) {
            return elements_at(received, receive_places[i], receive_counts[i], receive_types[i]);
        });
}

} // namespace

int neighbor_allgather(const void *sent, std::int64_t send_count, datatype send_type,
                       void *received, std::int64_t receive_count, datatype receive_type, comm on) {
    return neighbor_allgather_by(blocking_stage("MPI_Neighbor_allgather"), sent, send_count,
                                 send_type, received, receive_count, receive_type, on);
}

int ineighbor_allgather(const void *sent, std::int64_t send_count, datatype send_type,
                        void *received, std::int64_t receive_count, datatype receive_type, comm on,
                        request *out) {
    return neighbor_allgather_by(recorded_stage(out), sent, send_count, send_type, received,
                                 receive_count, receive_type, on);
}

int neighbor_allgather_init(const void *sent, std::int64_t send_count, datatype send_type,
                            void *received, std::int64_t receive_count, datatype receive_type,
                            comm on, info, request *out) {
    return neighbor_allgather_by(started_by_the_program(out), sent, send_count, send_type, received,
                                 receive_count, receive_type, on);
}

int neighbor_allgatherv(const void *sent, std::int64_t send_count, datatype send_type,
                        void *received, const std::int64_t *receive_counts,
                        const std::int64_t *places, datatype receive_type, comm on) {
    return neighbor_allgatherv_by(blocking_stage("MPI_Neighbor_allgatherv"), sent, send_count,
                                  send_type, received, receive_counts, places, receive_type, on);
}

int ineighbor_allgatherv(const void *sent, std::int64_t send_count, datatype send_type,
                         void *received, const std::int64_t *receive_counts,
                         const std::int64_t *places, datatype receive_type, comm on, request *out) {
    return neighbor_allgatherv_by(recorded_stage(out), sent, send_count, send_type, received,
                                  receive_counts, places, receive_type, on);
}

int neighbor_allgatherv_init(const void *sent, std::int64_t send_count, datatype send_type,
                             void *received, const std::int64_t *receive_counts,
                             const std::int64_t *places, datatype receive_type, comm on, info,
                             request *out) {
    return neighbor_allgatherv_by(started_by_the_program(out), sent, send_count, send_type,
                                  received, receive_counts, places, receive_type, on);
}

int neighbor_alltoall(const void *sent, std::int64_t send_count, datatype send_type, void *received,
                      std::int64_t receive_count, datatype receive_type, comm on) {
    return neighbor_alltoall_by(blocking_stage("MPI_Neighbor_alltoall"), sent, send_count,
                                send_type, received, receive_count, receive_type, on);
}

int ineighbor_alltoall(const void *sent, std::int64_t send_count, datatype send_type,
                       void *received, std::int64_t receive_count, datatype receive_type, comm on,
                       request *out) {
    return neighbor_alltoall_by(recorded_stage(out), sent, send_count, send_type, received,
                                receive_count, receive_type, on);
}

int neighbor_alltoall_init(const void *sent, std::int64_t send_count, datatype send_type,
                           void *received, std::int64_t receive_count, datatype receive_type,
                           comm on, info, request *out) {
    return neighbor_alltoall_by(started_by_the_program(out), sent, send_count, send_type, received,
                                receive_count, receive_type, on);
}

int neighbor_alltoallv(const void *sent, const std::int64_t *send_counts,
                       const std::int64_t *send_places, datatype send_type, void *received,
                       const std::int64_t *receive_counts, const std::int64_t *receive_places,
                       datatype receive_type, comm on) {
    return neighbor_alltoallv_by(blocking_stage("MPI_Neighbor_alltoallv"), sent, send_counts,
                                 send_places, send_type, received, receive_counts, receive_places,
                                 receive_type, on);
}

int ineighbor_alltoallv(const void *sent, const std::int64_t *send_counts,
                        const std::int64_t *send_places, datatype send_type, void *received,
                        const std::int64_t *receive_counts, const std::int64_t *receive_places,
                        datatype receive_type, comm on, request *out) {
    return neighbor_alltoallv_by(recorded_stage(out), sent, send_counts, send_places, send_type,
                                 received, receive_counts, receive_places, receive_type, on);
}

int neighbor_alltoallv_init(const void *sent, const std::int64_t *send_counts,
                            const std::int64_t *send_places, datatype send_type, void *received,
                            const std::int64_t *receive_counts, const std::int64_t *receive_places,
                            datatype receive_type, comm on, info, request *out) {
    return neighbor_alltoallv_by(started_by_the_program(out), sent, send_counts, send_places,
                                 send_type, received, receive_counts, receive_places, receive_type,
                                 on);
}

int neighbor_alltoallw(const void *sent, const std::int64_t *send_counts,
                       const std::int64_t *send_places, const datatype *send_types, void *received,
                       const std::int64_t *receive_counts, const std::int64_t *receive_places,
                       const datatype *receive_types, comm on) {
    return neighbor_alltoallw_by(blocking_stage("MPI_Neighbor_alltoallw"), sent, send_counts,
                                 send_places, send_types, received, receive_counts, receive_places,
                                 receive_types, on);
}

int ineighbor_alltoallw(const void *sent, const std::int64_t *send_counts,
                        const std::int64_t *send_places, const datatype *send_types, void *received,
                        const std::int64_t *receive_counts, const std::int64_t *receive_places,
                        const datatype *receive_types, comm on, request *out) {
    return neighbor_alltoallw_by(recorded_stage(out), sent, send_counts, send_places, send_types,
                                 received, receive_counts, receive_places, receive_types, on);
}

int neighbor_alltoallw_init(const void *sent, const std::int64_t *send_counts,
                            const std::int64_t *send_places, const datatype *send_types,
                            void *received, const std::int64_t *receive_counts,
                            const std::int64_t *receive_places, const datatype *receive_types,
                            comm on, info, request *out) {
    return neighbor_alltoallw_by(started_by_the_program(out), sent, send_counts, send_places,
                                 send_types, received, receive_counts, receive_places,
                                 receive_types, on);
}

} // namespace saguaro::mpi::core
