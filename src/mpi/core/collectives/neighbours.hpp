// SPDX-License-Identifier: MIT
// Collectives among the neighbours of a topology: each rank sends to its destinations and receives
// from its sources, and no other rank takes part.
#pragma once

#include "mpi/core/collectives/parts.hpp"
#include "mpi/core/collectives/stage.hpp"
#include "mpi/core/topologies/topology.hpp"

#include <cstddef>

namespace saguaro::mpi::collectives {

inline int degree(const std::vector<int> &of) {
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

inline int open(stage &all, comm on, neighbourhood &near) {
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
int neighbor_allgather(Stage &&all, const void *sent, std::int64_t send_count, datatype send_type,
                       void *received, std::int64_t receive_count, datatype receive_type, comm on) {
    return gather_from_neighbours(all, sent, send_count, send_type, receive_type, on,
                                  equal_parts(received, receive_count));
}

template <class Stage>
int neighbor_allgatherv(Stage &&all, const void *sent, std::int64_t send_count, datatype send_type,
                        void *received, const std::int64_t *receive_counts,
                        const std::int64_t *places, datatype receive_type, comm on) {
    return gather_from_neighbours(all, sent, send_count, send_type, receive_type, on,
                                  parts_at(received, receive_counts, places));
}

// to(i, type), from(i, type): as above, of one type each.
template <class Stage, class To, class From>
int exchange_elements(Stage &all, datatype send_type, datatype receive_type, comm on, To to,
                      From from) {
    neighbourhood near;
    if (const int error = open(all, on, near))
        return error;
    const datatype_object *const s = all.type(send_type);
    const datatype_object *const r = all.type(receive_type);
    if (s == nullptr || r == nullptr)
        return abi::err_type;
    return exchange_with_neighbours(
        all, near, [&](int i) { return to(i, *s); }, [&](int i) { return from(i, *r); });
}

template <class Stage>
int neighbor_alltoall(Stage &&all, const void *sent, std::int64_t send_count, datatype send_type,
                      void *received, std::int64_t receive_count, datatype receive_type, comm on) {
    return exchange_elements(all, send_type, receive_type, on, equal_parts(sent, send_count),
                             equal_parts(received, receive_count));
}

template <class Stage>
int neighbor_alltoallv(Stage &&all, const void *sent, const std::int64_t *send_counts,
                       const std::int64_t *send_places, datatype send_type, void *received,
                       const std::int64_t *receive_counts, const std::int64_t *receive_places,
                       datatype receive_type, comm on) {
    return exchange_elements(all, send_type, receive_type, on,
                             parts_at(sent, send_counts, send_places),
                             parts_at(received, receive_counts, receive_places));
}

template <class Stage>
int neighbor_alltoallw(Stage &&all, const void *sent, const std::int64_t *send_counts,
                       const std::int64_t *send_places, const datatype *send_types, void *received,
                       const std::int64_t *receive_counts, const std::int64_t *receive_places,
                       const datatype *receive_types, comm on) {
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

} // namespace saguaro::mpi::collectives
