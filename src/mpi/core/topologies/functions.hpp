// SPDX-License-Identifier: MIT
// MPI's functions of topologies.
#pragma once

#include "mpi/core/interface/handles.hpp"

#include <cstdint>

namespace saguaro::mpi::core {

// For the lengths of arrays; 0 of a communicator without such a topology.
std::int64_t in_degree(comm of);
std::int64_t out_degree(comm of);
std::int64_t cart_dims(comm of);

int topo_test(comm of, int *topology);
// Dimensions that are 0 are chosen.
int dims_create(int nodes, int ndims, int *dims);

// Ranks keep their order, whatever `reorder` says. Those for whom there is no room get comm::null.
int cart_create(comm from, int ndims, const int *dims, const int *periods, int reorder, comm *out);
int cart_sub(comm from, const int *remain_dims, comm *out);
int cart_map(comm from, int ndims, const int *dims, const int *periods, int *rank);
int cartdim_get(comm of, int *ndims);
int cart_get(comm of, int max_dims, int *dims, int *periods, int *coordinates);
int cart_rank(comm of, const int *coordinates, int *rank);
int cart_coords(comm of, int rank, int max_dims, int *coordinates);
int cart_shift(comm of, int direction, int steps, int *source, int *dest);

int graph_create(comm from, int nodes, const int *index, const int *edges, int reorder, comm *out);
int graph_map(comm from, int nodes, const int *index, const int *edges, int *rank);
int graphdims_get(comm of, int *nodes, int *edges);
int graph_get(comm of, int max_index, int max_edges, int *index, int *edges);
int graph_neighbors_count(comm of, int rank, int *count);
int graph_neighbors(comm of, int rank, int max_neighbours, int *neighbours);

int dist_graph_create(comm from, int count, const int *sources, const int *degrees,
                      const int *destinations, const int *weights, info hints, int reorder,
                      comm *out);
int dist_graph_create_adjacent(comm from, int in_degree, const int *sources,
                               const int *source_weights, int out_degree, const int *destinations,
                               const int *destination_weights, info hints, int reorder, comm *out);
int dist_graph_neighbors_count(comm of, int *in_degree, int *out_degree, int *weighted);
int dist_graph_neighbors(comm of, int max_in, int *sources, int *source_weights, int max_out,
                         int *destinations, int *destination_weights);

} // namespace saguaro::mpi::core
