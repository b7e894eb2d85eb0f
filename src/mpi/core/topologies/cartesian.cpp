// SPDX-License-Identifier: MIT
// Cartesian topologies: coordinates, neighbours, and the functions MPI_Cart_*. The last coordinate
// counts fastest.
#include "mpi/core/communicators/making.hpp"
#include "mpi/core/interface/functions.hpp"
#include "mpi/core/topologies/topology.hpp"

#include <algorithm>

namespace saguaro::mpi {

std::vector<int> cartesian::coordinates_of(int rank) const {
    std::vector<int> coordinates(size());
    for (std::size_t d = size(); d-- > 0;) {
        coordinates[d] = rank % dims[d];
        rank /= dims[d];
    }
    return coordinates;
}

int cartesian::rank_at(const std::vector<int> &coordinates) const {
    int rank = 0;
    for (std::size_t d = 0; d < size(); ++d) {
        int at = coordinates[d];
        if (at < 0 || at >= dims[d]) {
            if (!is_periodic[d])
                return abi::proc_null;
            at %= dims[d];
            at += at < 0 ? dims[d] : 0;
        }
        rank = rank * dims[d] + at;
    }
    return rank;
}

int cartesian::neighbour_of(int rank, std::size_t dimension, int steps) const {
    std::vector<int> coordinates = coordinates_of(rank);
    int &at = coordinates[dimension];
    const int length = dims[dimension];
    // No step is so large that the sum overflows.
    if (is_periodic[dimension])
        at += steps % length;
    else if (steps >= length || steps <= -length)
        return abi::proc_null;
    else
        at += steps;
    return rank_at(coordinates);
}

namespace core {

namespace {

// The grid that the arguments describe, and how many ranks it takes. An error class.
int read_grid(const comm_object *on, int ndims, const int *dims, const int *periods, cartesian &out,
              int &ranks) {
    if (on == nullptr || on->is_inter())
        return abi::err_comm;
    if (ndims < 0)
        return abi::err_dims;
    if (ndims > 0 && (dims == nullptr || periods == nullptr))
        return abi::err_arg;
    std::int64_t product = 1;
    for (int i = 0; i < ndims; ++i) {
        if (dims[i] <= 0)
            return abi::err_dims;
        product *= dims[i];
        if (product > on->size())
            return abi::err_arg;
        out.dims.push_back(dims[i]);
        out.is_periodic.push_back(periods[i] != 0);
    }
    ranks = static_cast<int>(product);
    return abi::success;
}

int find_grid(comm of, const cartesian *&out) {
    const comm_object *const c = find(of);
    if (c == nullptr)
        return abi::err_comm;
    out = topology_of<cartesian>(*c);
    return out != nullptr ? abi::success : abi::err_topology;
}

int put_coordinates(const cartesian &grid, int rank, int max_dims, int *to) {
    if (max_dims < 0 || static_cast<std::size_t>(max_dims) < grid.size() ||
        (grid.size() != 0 && to == nullptr))
        return abi::err_arg;
    const std::vector<int> coordinates = grid.coordinates_of(rank);
    std::copy(coordinates.begin(), coordinates.end(), to);
    return abi::success;
}

void give_grid(comm to, cartesian grid) {
    if (to != comm::null)
        find(to)->topology = std::make_shared<topology_object>(topology_object{std::move(grid)});
}

} // namespace

std::int64_t cart_dims(comm of) {
    const cartesian *grid = nullptr;
    return find_grid(of, grid) == 0 ? static_cast<std::int64_t>(grid->size()) : 0;
}

int cart_create(comm from, int ndims, const int *dims, const int *periods, int, comm *out) {
    const comm_object *const c = find(from);
    cartesian grid;
    int ranks = 0;
    *out = comm::null;
    int error = read_grid(c, ndims, dims, periods, grid, ranks);
    if (error == 0)
        error = comm_split(from, c->rank < ranks ? 0 : abi::undefined, 0, out);
    if (error == 0)
        give_grid(*out, std::move(grid));
    return error;
}

int cart_sub(comm from, const int *remain_dims, comm *out) {
    const cartesian *grid = nullptr;
    if (const int error = find_grid(from, grid))
        return error;
    if (grid->size() != 0 && remain_dims == nullptr)
        return abi::err_arg;
    // Who has the same coordinates in the dimensions that go is in the same part.
    const std::vector<int> coordinates = grid->coordinates_of(find(from)->rank);
    cartesian part;
    int color = 0;
    for (std::size_t d = 0; d < grid->size(); ++d)
        if (remain_dims[d] != 0) {
            part.dims.push_back(grid->dims[d]);
            part.is_periodic.push_back(grid->is_periodic[d]);
        } else {
            color = color * grid->dims[d] + coordinates[d];
        }
    // As in MPICH, of a grid without dimensions there is one alone.
    if (part.size() == 0)
        color = find(from)->rank == 0 ? 0 : abi::undefined;
    if (const int error = comm_split(from, color, 0, out))
        return error;
    give_grid(*out, std::move(part));
    return abi::success;
}

int cart_map(comm from, int ndims, const int *dims, const int *periods, int *rank) {
    const comm_object *const c = find(from);
    cartesian grid;
    int ranks = 0;
    if (const int error = read_grid(c, ndims, dims, periods, grid, ranks))
        return error;
    *rank = c->rank < ranks ? c->rank : abi::undefined;
    return abi::success;
}

int cartdim_get(comm of, int *ndims) {
    const cartesian *grid = nullptr;
    if (const int error = find_grid(of, grid))
        return error;
    *ndims = static_cast<int>(grid->size());
    return abi::success;
}

int cart_get(comm of, int max_dims, int *dims, int *periods, int *coordinates) {
    const cartesian *grid = nullptr;
    if (const int error = find_grid(of, grid))
        return error;
    if (grid->size() != 0 && (dims == nullptr || periods == nullptr))
        return abi::err_arg;
    if (const int error = put_coordinates(*grid, find(of)->rank, max_dims, coordinates))
        return error;
    std::copy(grid->dims.begin(), grid->dims.end(), dims);
    std::copy(grid->is_periodic.begin(), grid->is_periodic.end(), periods);
    return abi::success;
}

int cart_rank(comm of, const int *coordinates, int *rank) {
    const cartesian *grid = nullptr;
    if (const int error = find_grid(of, grid))
        return error;
    if (grid->size() != 0 && coordinates == nullptr)
        return abi::err_arg;
    const int found = grid->rank_at(std::vector<int>(coordinates, coordinates + grid->size()));
    if (found == abi::proc_null)
        return abi::err_arg;
    *rank = found;
    return abi::success;
}

int cart_coords(comm of, int rank, int max_dims, int *coordinates) {
    const cartesian *grid = nullptr;
    if (const int error = find_grid(of, grid))
        return error;
    if (rank < 0 || rank >= find(of)->size())
        return abi::err_rank;
    return put_coordinates(*grid, rank, max_dims, coordinates);
}

int cart_shift(comm of, int direction, int steps, int *source, int *dest) {
    const cartesian *grid = nullptr;
    if (const int error = find_grid(of, grid))
        return error;
    if (direction < 0 || static_cast<std::size_t>(direction) >= grid->size())
        return abi::err_arg;
    // Its negative may be no int.
    if (steps == INT32_MIN)
        return abi::err_arg;
    const int me = find(of)->rank;
    *source = grid->neighbour_of(me, static_cast<std::size_t>(direction), -steps);
    *dest = grid->neighbour_of(me, static_cast<std::size_t>(direction), steps);
    return abi::success;
}

} // namespace core

} // namespace saguaro::mpi
