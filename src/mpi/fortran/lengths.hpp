// SPDX-License-Identifier: MIT
// How many elements the arrays of a collective have, which no argument says.
#pragma once

#include "mpi/fortran/face.hpp"

#include <cstdint>

namespace saguaro::mpi::fortran {

inline std::int64_t local_size(integer comm) {
    int size = 0;
    PMPI_Comm_size(to_c<MPI_Comm>(comm), &size);
    return size;
}

inline std::int64_t peers(integer comm) {
    int size = 0, is_inter = 0;
    PMPI_Comm_test_inter(to_c<MPI_Comm>(comm), &is_inter);
    if (is_inter == 0)
        return local_size(comm);
    PMPI_Comm_remote_size(to_c<MPI_Comm>(comm), &size);
    return size;
}

// The neighbours that a rank receives from (first) and sends to (second).
struct degrees {
    std::int64_t in, out;
};

inline degrees degrees_of(integer of) {
    const MPI_Comm comm = to_c<MPI_Comm>(of);
    int topology = MPI_UNDEFINED, in = 0, out = 0, weighted = 0, rank = 0;
    PMPI_Topo_test(comm, &topology);
    switch (topology) {
    case MPI_CART:
        PMPI_Cartdim_get(comm, &in);
        return {2 * in, 2 * in};
    case MPI_GRAPH:
        PMPI_Comm_rank(comm, &rank);
        PMPI_Graph_neighbors_count(comm, rank, &in);
        return {in, in};
    case MPI_DIST_GRAPH:
        PMPI_Dist_graph_neighbors_count(comm, &in, &out, &weighted);
        return {in, out};
    default:
        return {0, 0};
    }
}

inline std::int64_t in_degree(integer comm) {
    return degrees_of(comm).in;
}
inline std::int64_t out_degree(integer comm) {
    return degrees_of(comm).out;
}

} // namespace saguaro::mpi::fortran
