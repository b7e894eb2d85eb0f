// SPDX-License-Identifier: MIT
// Graphs that all ranks know.
#include "mpi/core/communicators/making.hpp"
#include "mpi/core/interface/functions.hpp"
#include "mpi/core/topologies/topology.hpp"

#include <algorithm>

namespace saguaro::mpi {

std::vector<int> plain_graph::neighbours_of(int node) const {
    const int begin = node == 0 ? 0 : index[static_cast<std::size_t>(node) - 1];
    return {edges.begin() + begin, edges.begin() + index[static_cast<std::size_t>(node)]};
}

namespace core {

namespace {

// The graph that the arguments describe. An error class.
int read_graph(const comm_object *on, int nodes, const int *index, const int *edges,
               plain_graph &out) {
    if (on == nullptr || on->is_inter())
        return abi::err_comm;
    if (nodes < 0 || nodes > on->size() || (nodes > 0 && index == nullptr))
        return abi::err_arg;
    int end = 0;
    for (int i = 0; i < nodes; ++i) {
        if (index[i] < end)
            return abi::err_arg;
        end = index[i];
    }
    if (end > 0 && edges == nullptr)
        return abi::err_arg;
    for (int i = 0; i < end; ++i)
        if (edges[i] < 0 || edges[i] >= nodes)
            return abi::err_arg;
    out.index.assign(index, index + nodes);
    out.edges.assign(edges, edges + end);
    return abi::success;
}

int find_graph(comm of, const plain_graph *&out) {
    const comm_object *const c = find(of);
    if (c == nullptr)
        return abi::err_comm;
    out = topology_of<plain_graph>(*c);
    return out != nullptr ? abi::success : abi::err_topology;
}

} // namespace

int graph_create(comm from, int nodes, const int *index, const int *edges, int, comm *out) {
    const comm_object *const c = find(from);
    plain_graph graph;
    *out = comm::null;
    int error = read_graph(c, nodes, index, edges, graph);
    if (error == 0)
        error = comm_split(from, c->rank < nodes ? 0 : abi::undefined, 0, out);
    if (error == 0 && *out != comm::null)
        find(*out)->topology = std::make_shared<topology_object>(topology_object{std::move(graph)});
    return error;
}

int graph_map(comm from, int nodes, const int *index, const int *edges, int *rank) {
    const comm_object *const c = find(from);
    plain_graph graph;
    if (const int error = read_graph(c, nodes, index, edges, graph))
        return error;
    *rank = c->rank < nodes ? c->rank : abi::undefined;
    return abi::success;
}

int graphdims_get(comm of, int *nodes, int *edges) {
    const plain_graph *graph = nullptr;
    if (const int error = find_graph(of, graph))
        return error;
    *nodes = static_cast<int>(graph->index.size());
    *edges = static_cast<int>(graph->edges.size());
    return abi::success;
}

int graph_get(comm of, int max_index, int max_edges, int *index, int *edges) {
    const plain_graph *graph = nullptr;
    if (const int error = find_graph(of, graph))
        return error;
    const auto nodes = static_cast<int>(graph->index.size());
    const auto ends = static_cast<int>(graph->edges.size());
    if (max_index < nodes || max_edges < ends || (nodes != 0 && index == nullptr) ||
        (ends != 0 && edges == nullptr))
        return abi::err_arg;
    std::copy(graph->index.begin(), graph->index.end(), index);
    std::copy(graph->edges.begin(), graph->edges.end(), edges);
    return abi::success;
}

int graph_neighbors_count(comm of, int rank, int *count) {
    const plain_graph *graph = nullptr;
    if (const int error = find_graph(of, graph))
        return error;
    if (rank < 0 || rank >= find(of)->size())
        return abi::err_rank;
    *count = static_cast<int>(graph->neighbours_of(rank).size());
    return abi::success;
}

int graph_neighbors(comm of, int rank, int max_neighbours, int *neighbours) {
    const plain_graph *graph = nullptr;
    if (const int error = find_graph(of, graph))
        return error;
    if (rank < 0 || rank >= find(of)->size())
        return abi::err_rank;
    const std::vector<int> found = graph->neighbours_of(rank);
    if (max_neighbours < static_cast<int>(found.size()) ||
        (!found.empty() && neighbours == nullptr))
        return abi::err_arg;
    std::copy(found.begin(), found.end(), neighbours);
    return abi::success;
}

} // namespace core

} // namespace saguaro::mpi
