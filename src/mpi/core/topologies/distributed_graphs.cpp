// SPDX-License-Identifier: MIT
// Graphs of which each rank knows its own edges.
#include "mpi/core/communicators/making.hpp"
#include "mpi/core/interface/addresses.hpp"
#include "mpi/core/interface/functions.hpp"
#include "mpi/core/topologies/topology.hpp"

#include <algorithm>

namespace saguaro::mpi::core {

namespace {

// An edge as a rank tells another of it, which is one of its ends.
struct told_edge {
    int is_in; // for whom it is told
    int other; // the other end
    int weight;
};
constexpr int ints_of_edge = sizeof(told_edge) / sizeof(int);

bool are_ranks(const int *ranks, int count, int size) {
    return count == 0 || (ranks != nullptr && std::all_of(ranks, ranks + count, [size](int r) {
                              return r >= 0 && r < size;
                          }));
}

// A distributed graph has weights if its arrays say so; of no edges the array is one that exists.
bool has_weights(const int *weights) {
    return !is_unweighted(weights);
}

bool is_array(const int *weights) {
    return weights != nullptr && !is_unweighted(weights) && !is_weights_empty(weights);
}

bool are_weights(const int *weights, int count) {
    return !has_weights(weights) || (count == 0 || is_array(weights));
}

edge_list list_of(const int *ranks, const int *weights, int count) {
    edge_list made;
    made.ranks.assign(ranks, ranks + count);
    if (count != 0 && is_array(weights))
        made.weights.assign(weights, weights + count);
    return made;
}

// A copy with the graph. Attributes do not go to a communicator that has a new topology.
int make_with(comm_object &from, const char *call, distributed_graph graph, comm *out) {
    comm_object &made = make_among(from.local, from.context, 0, call);
    inherit(made, from);
    made.topology = std::make_shared<topology_object>(topology_object{std::move(graph)});
    *out = made.handle;
    return abi::success;
}

// What this rank says, ordered by who is told.
int read_edges(const comm_object &on, int count, const int *sources, const int *degrees,
               const int *destinations, const int *weights,
               std::vector<std::vector<told_edge>> &out) {
    if (count < 0 || !are_ranks(sources, count, on.size()) || (count > 0 && degrees == nullptr))
        return abi::err_arg;
    int edges = 0;
    for (int i = 0; i < count; ++i) {
        if (degrees[i] < 0)
            return abi::err_arg;
        edges += degrees[i];
    }
    if (!are_ranks(destinations, edges, on.size()) || !are_weights(weights, edges))
        return abi::err_arg;
    out.resize(static_cast<std::size_t>(on.size()));
    for (int i = 0, at = 0; i < count; ++i)
        for (int end = at + degrees[i]; at < end; ++at) {
            const int weight = is_array(weights) ? weights[at] : 1;
            out[static_cast<std::size_t>(sources[i])].push_back({0, destinations[at], weight});
            out[static_cast<std::size_t>(destinations[at])].push_back({1, sources[i], weight});
        }
    return abi::success;
}

// Each rank gets what others say of its edges, in their order.
std::vector<told_edge> exchange_edges(comm on, const std::vector<std::vector<told_edge>> &told) {
    const std::size_t ranks = told.size();
    std::vector<std::int64_t> sent(ranks);
    std::vector<std::int64_t> sent_at(ranks);
    std::vector<std::int64_t> got(ranks);
    std::vector<std::int64_t> got_at(ranks);
    std::vector<told_edge> out;
    for (std::size_t r = 0; r < ranks; ++r) {
        sent_at[r] = static_cast<std::int64_t>(out.size()) * ints_of_edge;
        sent[r] = static_cast<std::int64_t>(told[r].size()) * ints_of_edge;
        out.insert(out.end(), told[r].begin(), told[r].end());
    }
    alltoall(sent.data(), 1, datatype::int64_t, got.data(), 1, datatype::int64_t, on);
    std::int64_t all = 0;
    for (std::size_t r = 0; r < ranks; ++r) {
        got_at[r] = all;
        all += got[r];
    }
    std::vector<told_edge> in(static_cast<std::size_t>(all) / ints_of_edge);
    alltoallv(out.data(), sent.data(), sent_at.data(), datatype::int_, in.data(), got.data(),
              got_at.data(), datatype::int_, on);
    return in;
}

int find_graph(comm of, const distributed_graph *&out) {
    const comm_object *const c = find(of);
    if (c == nullptr)
        return abi::err_comm;
    out = topology_of<distributed_graph>(*c);
    return out != nullptr ? abi::success : abi::err_topology;
}

int put_edges(const edge_list &from, int most, int *ranks, int *weights) {
    const auto count = std::min<std::size_t>(static_cast<std::size_t>(most), from.ranks.size());
    if (count != 0 && ranks == nullptr)
        return abi::err_arg;
    std::copy_n(from.ranks.begin(), count, ranks);
    if (is_array(weights) && !from.weights.empty())
        std::copy_n(from.weights.begin(), count, weights);
    return abi::success;
}

} // namespace

int dist_graph_create(comm from, int count, const int *sources, const int *degrees,
                      const int *destinations, const int *weights, info, int, comm *out) {
    comm_object *const c = find(from);
    if (c == nullptr || c->is_inter())
        return abi::err_comm;
    std::vector<std::vector<told_edge>> told;
    if (const int error = read_edges(*c, count, sources, degrees, destinations, weights, told))
        return error;
    distributed_graph graph;
    graph.is_weighted = has_weights(weights);
    for (const told_edge &each : exchange_edges(from, told)) {
        edge_list &list = each.is_in != 0 ? graph.in : graph.out;
        list.ranks.push_back(each.other);
        if (graph.is_weighted)
            list.weights.push_back(each.weight);
    }
    return make_with(*c, "MPI_Dist_graph_create", std::move(graph), out);
}

int dist_graph_create_adjacent(comm from, int in_degree, const int *sources,
                               const int *source_weights, int out_degree, const int *destinations,
                               const int *destination_weights, info, int, comm *out) {
    comm_object *const c = find(from);
    if (c == nullptr || c->is_inter())
        return abi::err_comm;
    if (in_degree < 0 || out_degree < 0 || !are_ranks(sources, in_degree, c->size()) ||
        !are_ranks(destinations, out_degree, c->size()) ||
        has_weights(source_weights) != has_weights(destination_weights) ||
        !are_weights(source_weights, in_degree) || !are_weights(destination_weights, out_degree))
        return abi::err_arg;
    distributed_graph graph{list_of(sources, source_weights, in_degree),
                            list_of(destinations, destination_weights, out_degree),
                            has_weights(source_weights)};
    return make_with(*c, "MPI_Dist_graph_create_adjacent", std::move(graph), out);
}

int dist_graph_neighbors_count(comm of, int *in_degree, int *out_degree, int *weighted) {
    const distributed_graph *graph = nullptr;
    if (const int error = find_graph(of, graph))
        return error;
    *in_degree = static_cast<int>(graph->in.ranks.size());
    *out_degree = static_cast<int>(graph->out.ranks.size());
    *weighted = graph->is_weighted ? 1 : 0;
    return abi::success;
}

int dist_graph_neighbors(comm of, int max_in, int *sources, int *source_weights, int max_out,
                         int *destinations, int *destination_weights) {
    const distributed_graph *graph = nullptr;
    if (const int error = find_graph(of, graph))
        return error;
    if (max_in < 0 || max_out < 0)
        return abi::err_arg;
    const int error = put_edges(graph->in, max_in, sources, source_weights);
    return error != 0 ? error : put_edges(graph->out, max_out, destinations, destination_weights);
}

} // namespace saguaro::mpi::core
