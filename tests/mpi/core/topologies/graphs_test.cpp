// SPDX-License-Identifier: MIT
// Graphs, those that all ranks know and those of which each rank knows a part.
#include "mpi/core/interface/addresses.hpp"
#include "mpi/core/ranks.hpp"
#include "mpi/core/topologies/topology.hpp"

#include <gtest/gtest.h>

namespace saguaro::mpi {
namespace {

int *special(std::uintptr_t address) {
    return reinterpret_cast<int *>(address);
}

// The standard's own example.
const int example_index[] = {2, 3, 4, 6};
const int example_edges[] = {1, 3, 0, 3, 0, 2};

TEST(graphs, are_the_same_for_all_ranks) {
    EXPECT_TRUE(all_well(run_ranks(5, [](int me) {
        comm graph{};
        if (core::graph_create(comm::world, 4, example_index, example_edges, 0, &graph) != 0)
            return 1;
        if (me == 4)
            return graph == comm::null ? 0 : 2;
        int nodes = 0;
        int edges = 0;
        int count = 0;
        int neighbours[2] = {-1, -1};
        core::graphdims_get(graph, &nodes, &edges);
        if (nodes != 4 || edges != 6 || core::graph_neighbors_count(graph, 3, &count) != 0 ||
            count != 2 || core::graph_neighbors(graph, 3, 2, neighbours) != 0 ||
            neighbours[0] != 0 || neighbours[1] != 2)
            return 3;
        neighbourhood found;
        find_neighbourhood(*find(graph), found);
        if (me == 0 && found.in != std::vector<int>{1, 3})
            return 4;
        return core::graph_neighbors(graph, 3, 1, neighbours) == abi::err_arg &&
                       core::graph_neighbors(graph, 4, 2, neighbours) == abi::err_rank &&
                       core::graph_get(graph, 3, 6, neighbours, neighbours) == abi::err_arg
                   ? 0
                   : 5;
    })));
}

TEST(graphs, that_cannot_be_are_refused) {
    EXPECT_TRUE(all_well(run_ranks(2, [](int) {
        comm graph{};
        const int falls[] = {2, 1};
        const int edges[] = {0, 2};
        const int index[] = {1, 2};
        const auto create = [&](int nodes, const int *ends) {
            graph = comm::world;
            const int error = core::graph_create(comm::world, nodes, ends, edges, 0, &graph);
            return graph == comm::null ? error : abi::success;
        };
        return create(3, index) == abi::err_arg && create(-1, index) == abi::err_arg &&
                       create(2, falls) == abi::err_arg && create(2, index) == abi::err_arg &&
                       core::graphdims_get(comm::world, nullptr, nullptr) == abi::err_topology
                   ? 0
                   : 1;
    })));
}

// What this rank knows of a distributed graph.
struct known {
    std::vector<int> in, in_weights, out, out_weights;
    bool is_weighted;
};

known ask(comm graph) {
    int in = 0;
    int out = 0;
    int weighted = 0;
    core::dist_graph_neighbors_count(graph, &in, &out, &weighted);
    const auto made = [](int n) { return std::vector<int>(static_cast<std::size_t>(n), -1); };
    known k{made(in), made(in), made(out), made(out), weighted != 0};
    core::dist_graph_neighbors(graph, in, k.in.data(), k.in_weights.data(), out, k.out.data(),
                               k.out_weights.data());
    return k;
}

// Each rank tells the edges of the next one: from there to the one after, and to itself.
TEST(distributed_graphs, gather_what_others_say_of_a_rank) {
    EXPECT_TRUE(all_well(run_ranks(4, [](int me) {
        const int source = (me + 1) % 4;
        const int degree = 2;
        const int destinations[] = {(me + 2) % 4, me};
        const int weights[] = {10 + me, 20 + me};
        comm graph{};
        if (core::dist_graph_create(comm::world, 1, &source, &degree, destinations, weights,
                                    info::null, 0, &graph) != 0)
            return 1;
        const known k = ask(graph);
        const int before = (me + 3) % 4;
        const int far = (me + 2) % 4;
        if (!k.is_weighted || k.out != std::vector<int>{(me + 1) % 4, before} ||
            k.out_weights != std::vector<int>{10 + before, 20 + before})
            return 2;
        // Rank `far` says that `before` sends to this one; this one itself that the next one does.
        const bool far_first = far < me;
        const std::vector<int> in =
            far_first ? std::vector<int>{before, source} : std::vector<int>{source, before};
        const std::vector<int> in_weights =
            far_first ? std::vector<int>{10 + far, 20 + me} : std::vector<int>{20 + me, 10 + far};
        return k.in == in && k.in_weights == in_weights ? 0 : 3;
    })));
}

TEST(distributed_graphs, of_neighbours_are_as_each_rank_says) {
    EXPECT_TRUE(all_well(run_ranks(3, [](int me) {
        const int from[] = {(me + 2) % 3, (me + 2) % 3};
        const int to[] = {(me + 1) % 3, (me + 1) % 3};
        comm graph{};
        comm copy{};
        if (core::dist_graph_create_adjacent(comm::world, 2, from, special(addresses::unweighted),
                                             2, to, special(addresses::unweighted), info::null, 0,
                                             &graph) != 0)
            return 1;
        core::comm_dup(graph, &copy);
        const known k = ask(copy);
        if (k.is_weighted || k.in != std::vector<int>(from, from + 2) ||
            k.out != std::vector<int>(to, to + 2) || k.in_weights != std::vector<int>{-1, -1})
            return 2;
        // Only the first of them, and no weights are wanted.
        int one = -1;
        core::dist_graph_neighbors(copy, 1, &one, special(addresses::unweighted), 0, nullptr,
                                   special(addresses::unweighted));
        neighbourhood found;
        find_neighbourhood(*find(copy), found);
        return one == from[0] && found.in == k.in && found.out == k.out &&
                       core::in_degree(copy) == 2
                   ? 0
                   : 3;
    })));
}

TEST(distributed_graphs, may_have_weights_of_no_edges) {
    EXPECT_TRUE(all_well(run_ranks(2, [](int me) {
        const int other = 1 - me;
        const int weight = 5;
        int *const none = special(addresses::weights_empty);
        comm graph{};
        const int error = core::dist_graph_create_adjacent(
            comm::world, me, &other, me != 0 ? &weight : none, other, &other,
            me != 0 ? none : &weight, info::null, 0, &graph);
        const known k = ask(graph);
        return error == 0 && k.is_weighted && k.in.size() == static_cast<std::size_t>(me) ? 0 : 1;
    })));
}

TEST(distributed_graphs, that_cannot_be_are_refused) {
    EXPECT_TRUE(all_well(run_ranks(2, [](int) {
        comm graph{};
        int *const unweighted = special(addresses::unweighted);
        int *const none = special(addresses::weights_empty);
        const int good[] = {0};
        const int bad[] = {2};
        const auto adjacent = [&](int in, const int *from, int *weights, int *other_weights) {
            return core::dist_graph_create_adjacent(comm::world, in, from, weights, 1, good,
                                                    other_weights, info::null, 0, &graph);
        };
        int weight = 1;
        const auto create = [&](int n, const int *from, int degree, const int *to) {
            return core::dist_graph_create(comm::world, n, from, &degree, to, unweighted,
                                           info::null, 0, &graph);
        };
        return adjacent(-1, good, unweighted, unweighted) == abi::err_arg &&
                       adjacent(1, bad, unweighted, unweighted) == abi::err_arg &&
                       adjacent(1, good, none, &weight) == abi::err_arg &&
                       adjacent(1, good, unweighted, &weight) == abi::err_arg &&
                       create(-1, good, 1, good) == abi::err_arg &&
                       create(1, bad, 1, good) == abi::err_arg &&
                       create(1, good, -1, good) == abi::err_arg &&
                       create(1, good, 1, bad) == abi::err_arg &&
                       core::dist_graph_neighbors_count(comm::world, nullptr, nullptr, nullptr) ==
                           abi::err_topology
                   ? 0
                   : 1;
    })));
}

} // namespace
} // namespace saguaro::mpi
