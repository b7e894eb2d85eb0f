// SPDX-License-Identifier: MIT
// Collectives among neighbours, on rings, on lines with ends, and on graphs in which edges occur
// several times and lead to where they began.
#include "mpi/core/ranks.hpp"
#include "mpi/core/short.hpp"

#include "mpi/core/communicators/communicators.hpp"
#include "mpi/core/topologies/topology.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <numeric>
#include <unistd.h>

namespace saguaro::mpi {
namespace {

comm with(topology_object near) {
    comm made = comm::null;
    core::comm_dup(comm::world, &made);
    find(made)->topology = std::make_shared<topology_object>(std::move(near));
    return made;
}

topology_object ring(int) {
    return {cartesian{{size()}, {true}}};
}

topology_object line(int) {
    return {cartesian{{size()}, {false}}};
}

// How often there is an edge from one rank to another.
int edges(int from, int to) {
    return (from * 5 + to * 3) % 4;
}

topology_object graph(int me) {
    distributed_graph g;
    for (int other = 0; other < size(); ++other) {
        g.out.ranks.insert(g.out.ranks.end(), static_cast<std::size_t>(edges(me, other)), other);
        g.in.ranks.insert(g.in.ranks.begin(), static_cast<std::size_t>(edges(other, me)), other);
    }
    return {g};
}

// What a rank sends by its destination `edge`.
int value_on(int from, int edge) {
    return from * 1000 + edge;
}

// What comes from the sources; `by_edge`: each edge has its own.
std::vector<int> expected_by(const neighbourhood &near, int me, bool is_cartesian, bool by_edge) {
    std::vector<int> all;
    for (std::size_t i = 0; i < near.in.size(); ++i) {
        const int source = near.in[i];
        if (source == abi::proc_null) {
            all.push_back(-1);
            continue;
        }
        // The neighbour below sends it to the one above.
        int edge = i % 2 == 0 ? 1 : 0;
        if (!is_cartesian) {
            edge = static_cast<int>(std::count(
                near.in.begin(), near.in.begin() + static_cast<std::ptrdiff_t>(i), source));
            for (int other = 0; other < me; ++other)
                edge += edges(source, other);
        }
        all.push_back(value_on(source, by_edge ? edge : 0));
    }
    return all;
}

enum class way { blocks, does_not_block, is_persistent };

// Each function gives the same, with the counts and places of its own.
int exchange(way how, topology_object (*of)(int), int me) {
    const comm on = with(of(me));
    neighbourhood near;
    if (!find_neighbourhood(*find(on), near))
        return 1;
    const bool is_cartesian = topology_of<cartesian>(*find(on)) != nullptr;
    const std::size_t in = near.in.size();
    const std::size_t out = near.out.size();
    if (core::in_degree(on) != static_cast<std::int64_t>(in) ||
        core::out_degree(on) != static_cast<std::int64_t>(out))
        return 1;
    std::vector<int> sent(out + 1, value_on(me, 0)); // one for allgather also without an edge
    for (std::size_t i = 0; i < out; ++i)
        sent[i] = value_on(me, static_cast<int>(i));
    const std::vector<std::int64_t> ones(std::max(in, out), 1);
    std::vector<std::int64_t> places(ones.size());
    std::iota(places.begin(), places.end(), 0);
    std::vector<std::int64_t> bytes;
    for (const std::int64_t p : places)
        bytes.push_back(p * 4);
    const std::vector<datatype> types(ones.size(), integer);
    const auto *const c = ones.data();
    const auto *const p = places.data();
    const auto *const b = bytes.data();
    const auto *const t = types.data();
    for (int which = 0; which < 5; ++which) {
        std::vector<int> got(in, -1);
        request r = request::null;
        const int *const s = sent.data();
        int *const g = got.data();
        constexpr info no = info::null;
        int error = 0;
        switch (which * 3 + static_cast<int>(how)) {
        case 0:
            error = core::neighbor_allgather(s, 1, integer, g, 1, integer, on);
            break;
        case 1:
            error = core::ineighbor_allgather(s, 1, integer, g, 1, integer, on, &r);
            break;
        case 2:
            error = core::neighbor_allgather_init(s, 1, integer, g, 1, integer, on, no, &r);
            break;
        case 3:
            error = core::neighbor_allgatherv(s, 1, integer, g, c, p, integer, on);
            break;
        case 4:
            error = core::ineighbor_allgatherv(s, 1, integer, g, c, p, integer, on, &r);
            break;
        case 5:
            error = core::neighbor_allgatherv_init(s, 1, integer, g, c, p, integer, on, no, &r);
            break;
        case 6:
            error = core::neighbor_alltoall(s, 1, integer, g, 1, integer, on);
            break;
        case 7:
            error = core::ineighbor_alltoall(s, 1, integer, g, 1, integer, on, &r);
            break;
        case 8:
            error = core::neighbor_alltoall_init(s, 1, integer, g, 1, integer, on, no, &r);
            break;
        case 9:
            error = core::neighbor_alltoallv(s, c, p, integer, g, c, p, integer, on);
            break;
        case 10:
            error = core::ineighbor_alltoallv(s, c, p, integer, g, c, p, integer, on, &r);
            break;
        case 11:
            error = core::neighbor_alltoallv_init(s, c, p, integer, g, c, p, integer, on, no, &r);
            break;
        case 12:
            error = core::neighbor_alltoallw(s, c, b, t, g, c, b, t, on);
            break;
        case 13:
            error = core::ineighbor_alltoallw(s, c, b, t, g, c, b, t, on, &r);
            break;
        default:
            error = core::neighbor_alltoallw_init(s, c, b, t, g, c, b, t, on, no, &r);
        }
        for (int round = how == way::is_persistent ? 2 : 1; round > 0; --round) {
            if (how == way::is_persistent) {
                std::ranges::fill(got, -1);
                error = core::start(&r);
            }
            if (error != 0 || core::wait(&r, nullptr) != 0)
                return 2;
            if (got != expected_by(near, me, is_cartesian, which >= 2))
                return 10 + which;
        }
    }
    return 0;
}

TEST(neighbour_collectives, each_edge_has_its_own_message) {
    for (const auto of : {ring, line, graph})
        for (const way how : {way::blocks, way::does_not_block, way::is_persistent})
            for (const std::uint32_t ranks : {1U, 2U, 3U, 6U})
                EXPECT_TRUE(
                    all_well(run_ranks(ranks, [&](int me) { return exchange(how, of, me); })))
                    << ranks << " ranks, way " << static_cast<int>(how);
}

// Behind it a rank's clock is above those of its neighbours alone.
TEST(neighbour_collectives, clock_is_that_of_the_neighbours) {
    EXPECT_TRUE(all_well(run_ranks(5, [](int me) {
        const comm on = with(line(me));
        core::barrier(comm::world);
        const clock_value begin = rank::mine->clock();
        core::declare_cost(100 * me);
        int got[2];
        core::neighbor_allgather(&me, 1, integer, got, 1, integer, on);
        return rank::mine->clock() ==
                       begin + 100 * static_cast<clock_value>(std::min(me + 1, 4)) + 1
                   ? 0
                   : 1;
    })));
}

// Two messages of one stamp: a test must not take the first for the last.
TEST(neighbour_collectives, tests_make_the_turns_that_the_rule_says) {
    for (int late = 0; late < 2; ++late)
        EXPECT_TRUE(all_well(run_ranks(2, [late](int me) {
            const comm on = with(ring(me));
            for (int round = 0; round < 20; ++round) {
                core::barrier(comm::world);
                if (me == 1)
                    core::declare_cost(30);
                if (me == late)
                    usleep(1000);
                const int sent[2] = {me * 2, me * 2 + 1};
                int got[2] = {};
                request r = request::null;
                core::ineighbor_alltoall(sent, 1, integer, got, 1, integer, on, &r);
                int turns = 0;
                for (int flag = 0; flag == 0; ++turns)
                    core::test(&r, &flag, nullptr);
                if (turns != (me == 0 ? 31 : 1) || got[0] != (1 - me) * 2 + 1)
                    return 1;
            }
            return 0;
        })));
}

TEST(neighbour_collectives, bad_arguments_have_their_classes) {
    EXPECT_TRUE(all_well(run_ranks(2, [](int me) {
        const comm on = with(ring(me));
        int x[2] = {};
        int y[2] = {};
        request r = request::null;
        const std::int64_t ones[2] = {1, 1};
        const std::int64_t bad[2] = {1, -1};
        const std::int64_t places[2] = {0, 1};
        return core::neighbor_allgather(x, 1, integer, y, 1, integer, comm::world) ==
                           abi::err_topology &&
                       core::ineighbor_alltoall(x, -1, integer, y, 1, integer, on, &r) ==
                           abi::err_count &&
                       core::neighbor_alltoallv(x, ones, places, integer, y, bad, places, integer,
                                                on) == abi::err_count &&
                       core::neighbor_alltoall(x, 1, datatype::null, y, 1, integer, on) ==
                           abi::err_type &&
                       core::in_degree(comm::world) == 0 && core::out_degree(comm::null) == 0 &&
                       r == request::null
                   ? 0
                   : 1;
    })));
}

} // namespace
} // namespace saguaro::mpi
