// SPDX-License-Identifier: MIT
// Tests of Cartesian topologies on real ranks.
#include "mpi/core/ranks.hpp"
#include "mpi/core/topologies/topology.hpp"

#include <gtest/gtest.h>

namespace saguaro::mpi {
namespace {

// On the ranks of a grid of 2 x 3, the second dimension a ring; a seventh rank has no place in it.
std::vector<int> on_grid(const std::function<int(int me, comm grid)> &body) {
    return run_ranks(7, [&](int me) {
        const int dims[] = {2, 3};
        const int periods[] = {0, 1};
        comm grid{};
        if (core::cart_create(comm::world, 2, dims, periods, 1, &grid) != 0)
            return 100;
        if (me == 6)
            return grid == comm::null ? 0 : 101;
        return body(me, grid);
    });
}

TEST(grids, know_ranks_by_coordinates) {
    EXPECT_TRUE(all_well(on_grid([](int me, comm grid) {
        int dims[2];
        int periods[2];
        int at[2];
        int rank = -1;
        if (core::cart_get(grid, 2, dims, periods, at) != 0 || dims[0] != 2 || dims[1] != 3 ||
            periods[0] != 0 || periods[1] != 1 || at[0] != me / 3 || at[1] != me % 3)
            return 1;
        const int around[] = {at[0], at[1] - 6};
        if (core::cart_rank(grid, around, &rank) != 0 || rank != me)
            return 2;
        const int outside[] = {2, 0};
        return core::cart_rank(grid, outside, &rank) == abi::err_arg &&
                       core::cart_coords(grid, 6, 2, at) == abi::err_rank &&
                       core::cart_coords(grid, 5, 1, at) == abi::err_arg &&
                       core::cart_coords(grid, 5, 2, at) == 0 && at[0] == 1 && at[1] == 2
                   ? 0
                   : 3;
    })));
}

TEST(grids, shift_along_a_dimension) {
    EXPECT_TRUE(all_well(on_grid([](int me, comm grid) {
        int source = 0;
        int dest = 0;
        core::cart_shift(grid, 0, 1, &source, &dest);
        if (source != (me < 3 ? abi::proc_null : me - 3) ||
            dest != (me < 3 ? me + 3 : abi::proc_null))
            return 1;
        core::cart_shift(grid, 1, -4, &source, &dest);
        const int row = me / 3 * 3;
        if (source != row + (me + 1) % 3 || dest != row + (me + 2) % 3)
            return 2;
        core::cart_shift(grid, 0, INT32_MAX, &source, &dest);
        if (source != abi::proc_null || dest != abi::proc_null)
            return 3;
        return core::cart_shift(grid, 2, 1, &source, &dest) == abi::err_arg &&
                       core::cart_shift(comm::world, 0, 1, &source, &dest) == abi::err_topology
                   ? 0
                   : 4;
    })));
}

TEST(grids, have_parts) {
    EXPECT_TRUE(all_well(on_grid([](int me, comm grid) {
        const int remain[] = {0, 1};
        comm row{};
        core::cart_sub(grid, remain, &row);
        const comm_object &r = *find(row);
        const auto first = static_cast<std::uint32_t>(me / 3 * 3);
        if (r.local->members != std::vector<std::uint32_t>{first, first + 1, first + 2} ||
            core::cart_dims(row) != 1 || !topology_of<cartesian>(r)->is_periodic[0])
            return 1;
        const int nothing[] = {0, 0};
        comm point{};
        core::cart_sub(grid, nothing, &point);
        return (point == comm::null) == (me != 0) && core::cart_dims(point) == 0 ? 0 : 2;
    })));
}

// Several dimensions go, of which others have the same sum of coordinates.
TEST(grids, have_parts_of_one_line) {
    EXPECT_TRUE(all_well(run_ranks(12, [](int me) {
        const int dims[] = {2, 3, 2};
        const int periods[] = {0, 0, 0};
        const int remain[] = {0, 0, 1};
        comm grid{};
        comm line{};
        core::cart_create(comm::world, 3, dims, periods, 0, &grid);
        core::cart_sub(grid, remain, &line);
        const auto first = static_cast<std::uint32_t>(me / 2 * 2);
        return find(line)->local->members == std::vector<std::uint32_t>{first, first + 1} ? 0 : 1;
    })));
}

TEST(grids, go_to_duplicates_and_to_no_others) {
    EXPECT_TRUE(all_well(on_grid([](int me, comm grid) {
        comm copy{};
        comm part{};
        int shape = 0;
        core::comm_dup(grid, &copy);
        core::comm_split(grid, me % 2, 0, &part);
        if (core::topo_test(copy, &shape) != 0 || shape != abi::cart)
            return 1;
        return core::topo_test(part, &shape) == 0 && shape == abi::undefined ? 0 : 2;
    })));
}

TEST(grids, have_two_neighbours_in_each_dimension) {
    EXPECT_TRUE(all_well(on_grid([](int me, comm grid) {
        neighbourhood found;
        if (!find_neighbourhood(*find(grid), found) || core::in_degree(grid) != 4)
            return 1;
        const int row = me / 3 * 3;
        const std::vector<int> expected{me < 3 ? abi::proc_null : me - 3,
                                        me < 3 ? me + 3 : abi::proc_null, row + (me + 2) % 3,
                                        row + (me + 1) % 3};
        return found.in == expected && found.out == expected &&
                       !find_neighbourhood(*find(comm::world), found)
                   ? 0
                   : 2;
    })));
}

TEST(grids, that_cannot_be_are_refused) {
    EXPECT_TRUE(all_well(run_ranks(2, [](int) {
        comm grid{};
        int rank = 0;
        const int zero[] = {0};
        const int three[] = {3};
        const int huge[] = {65536, 65536};
        const auto create = [&](comm on, int ndims, const int *dims) {
            const int periods[] = {0, 0};
            grid = comm::world;
            const int error = core::cart_create(on, ndims, dims, periods, 0, &grid);
            return grid == comm::null ? error : abi::success;
        };
        return create(comm::null, 1, three) == abi::err_comm &&
                       create(comm::world, -1, three) == abi::err_dims &&
                       create(comm::world, 1, zero) == abi::err_dims &&
                       create(comm::world, 1, three) == abi::err_arg &&
                       create(comm::world, 2, huge) == abi::err_arg &&
                       create(comm::world, 1, nullptr) == abi::err_arg &&
                       core::cart_map(comm::world, 1, three, zero, &rank) == abi::err_arg &&
                       core::cart_rank(comm::world, zero, &rank) == abi::err_topology &&
                       core::cartdim_get(comm::null, &rank) == abi::err_comm
                   ? 0
                   : 1;
    })));
}

} // namespace
} // namespace saguaro::mpi
