// SPDX-License-Identifier: MIT
// The topology of a communicator: which of its ranks are neighbours.
#pragma once

#include "mpi/core/communicators/communicators.hpp"

#include <cstddef>
#include <variant>
#include <vector>

namespace saguaro::mpi {

struct cartesian {
    std::vector<int> dims;
    std::vector<bool> is_periodic;

    std::size_t size() const { return dims.size(); }
    std::vector<int> coordinates_of(int rank) const;
    // abi::proc_null outside of a dimension that is not periodic.
    int rank_at(const std::vector<int> &coordinates) const;
    // The rank so many steps away along a dimension.
    int neighbour_of(int rank, std::size_t dimension, int steps) const;
};

// A graph that all ranks know, as MPI_Graph_create has it.
struct plain_graph {
    std::vector<int> index; // where each node's edges end
    std::vector<int> edges;

    std::vector<int> neighbours_of(int node) const;
};

// What a rank knows of a graph: its own edges.
struct edge_list {
    std::vector<int> ranks;
    std::vector<int> weights; // as many, or none if the graph has no weights
};

struct distributed_graph {
    edge_list in;
    edge_list out;
    bool is_weighted = false;
};

struct topology_object {
    std::variant<cartesian, plain_graph, distributed_graph> shape;
};

// Null if the communicator has none of that shape.
template <class shape>
const shape *topology_of(const comm_object &of) {
    return of.topology != nullptr ? std::get_if<shape>(&of.topology->shape) : nullptr;
}

// A rank's neighbours, in the order in which neighbourhood collectives have their blocks; of a
// cartesian topology abi::proc_null where the grid ends, and first the lower, then the upper one of
// each dimension.
struct neighbourhood {
    std::vector<int> in;  // from whom it receives
    std::vector<int> out; // to whom it sends
};

// Of this rank. False if the communicator has no topology.
bool find_neighbourhood(const comm_object &of, neighbourhood &out);

} // namespace saguaro::mpi
