// SPDX-License-Identifier: MIT
// Finding the neighbours of a rank in whatever topology its communicator has.
#include "mpi/core/topologies/topology.hpp"

#include "mpi/core/interface/functions.hpp"

namespace saguaro::mpi {

bool find_neighbourhood(const comm_object &of, neighbourhood &out) {
    out = {};
    if (const cartesian *const grid = topology_of<cartesian>(of)) {
        for (std::size_t d = 0; d < grid->size(); ++d)
            for (const int steps : {-1, 1})
                out.in.push_back(grid->neighbour_of(of.rank, d, steps));
        out.out = out.in;
        return true;
    }
    if (const plain_graph *const graph = topology_of<plain_graph>(of)) {
        out.in = graph->neighbours_of(of.rank);
        out.out = out.in;
        return true;
    }
    if (const distributed_graph *const graph = topology_of<distributed_graph>(of)) {
        out.in = graph->in.ranks;
        out.out = graph->out.ranks;
        return true;
    }
    return false;
}

namespace core {

namespace {

neighbourhood neighbours(comm of) {
    neighbourhood found;
    if (const comm_object *const c = find(of))
        find_neighbourhood(*c, found);
    return found;
}

} // namespace

std::int64_t in_degree(comm of) {
    return static_cast<std::int64_t>(neighbours(of).in.size());
}

std::int64_t out_degree(comm of) {
    return static_cast<std::int64_t>(neighbours(of).out.size());
}

int topo_test(comm of, int *topology) {
    const comm_object *const c = find(of);
    if (c == nullptr)
        return abi::err_comm;
    *topology = topology_of<cartesian>(*c) != nullptr           ? abi::cart
                : topology_of<plain_graph>(*c) != nullptr       ? abi::graph
                : topology_of<distributed_graph>(*c) != nullptr ? abi::dist_graph
                                                                : abi::undefined;
    return abi::success;
}

} // namespace core

} // namespace saguaro::mpi
