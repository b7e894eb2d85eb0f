// SPDX-License-Identifier: MIT
// MPI_Type_create_subarray and MPI_Type_create_darray, built from slices of each dimension.
#include "mpi/datatypes/arrays.hpp"

#include "mpi/core/interface/constants.hpp"
#include "mpi/datatypes/composition.hpp"
#include "mpi/datatypes/record.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace saguaro::mpi {
namespace {

// Which indices of one dimension a type has: blocks of `length`, of which one begins every `period`
// indices from `start` on, and at last one that may be shorter.
struct slice {
    std::int64_t start = 0;
    std::int64_t length = 0;
    std::int64_t period = 0;
    std::int64_t blocks = 0; // of full length
    std::int64_t last = 0;   // length of the shorter one
};

// An array is built from the dimension on that lies densest in memory.
class array_builder {
public:
    explicit array_builder(const type_pointer &old)
        : inside_(composition_of(*old)), unit_(old->extent()) {}

    // The next dimension: it has `size` indices.
    int add(std::int64_t size, const slice &of) {
        std::int64_t whole = 0;
        if (__builtin_mul_overflow(unit_, size, &whole))
            return abi::err_count;
        composition block_of_it;
        composition full;
        composition rest;
        int error = repeat(inside_, of.length, unit_, &block_of_it);
        if (!error)
            error = repeat(block_of_it, of.blocks, of.period * unit_, &full);
        if (!error)
            error = repeat(inside_, of.last, unit_, &rest);
        // What there is of both lies inside of the array.
        std::vector<block> both;
        if (of.blocks != 0)
            both.push_back({of.start * unit_, 1, &full});
        if (of.last != 0)
            both.push_back({(of.start + of.blocks * of.period) * unit_, 1, &rest});
        if (!error)
            error = join(both, &inside_);
        unit_ = whole;
        return error;
    }

    // The type has the array's extent.
    int finish_array(call_record &&record, type_pointer *made) {
        composition array;
        if (int error = resize(inside_, 0, unit_, &array))
            return error;
        return finish(std::move(array), std::move(record), made);
    }

private:
    composition inside_;
    std::int64_t unit_; // bytes from one index to the next
};

// The dimensions of `slices`, the densest first.
int build(const std::vector<std::int64_t> &sizes, const std::vector<slice> &slices, int order,
          const type_pointer &old, call_record &&record, type_pointer *made) {
    array_builder array(old);
    for (std::size_t i = 0; i != slices.size(); ++i) {
        const std::size_t at = order == abi::order_fortran ? i : slices.size() - 1 - i;
        if (int error = array.add(sizes[at], slices[at]))
            return error;
    }
    return array.finish_array(std::move(record), made);
}

bool is_order(int order) {
    return order == abi::order_c || order == abi::order_fortran;
}

// What the process at `coordinate` of `processes` has of a dimension; err_arg if it cannot be.
int distribute(std::int64_t size, int distribution, int argument, int processes, int coordinate,
               slice *has) {
    std::int64_t length = argument;
    switch (distribution) {
    case abi::distribute_none:
        if (processes != 1)
            return abi::err_arg;
        length = size;
        break;
    case abi::distribute_block:
        if (argument == abi::distribute_dflt_darg)
            length = (size - 1) / processes + 1;
        if (length < 1 || length * processes < size)
            return abi::err_arg;
        break;
    case abi::distribute_cyclic:
        if (argument == abi::distribute_dflt_darg)
            length = 1;
        if (length < 1)
            return abi::err_arg;
        break;
    default:
        return abi::err_arg;
    }
    const std::int64_t start = length * coordinate;
    const std::int64_t period = length * processes;
    const std::int64_t from_start = std::max<std::int64_t>(size - start, 0);
    *has = {start, length, std::min(period, size), from_start / period, 0};
    // Of the last period only the begin is inside.
    const std::int64_t rest = from_start % period;
    if (rest >= length)
        ++has->blocks;
    else
        has->last = rest;
    if (has->blocks == 0)
        has->length = 0;
    return abi::success;
}

} // namespace

int type_subarray(int dimensions, const std::int64_t *sizes, const std::int64_t *subsizes,
                  const std::int64_t *starts, int order, const type_pointer &old,
                  type_pointer *made, call_form form) {
    if (!old)
        return abi::err_type;
    if (dimensions < 1 || !is_order(order))
        return abi::err_arg;
    std::vector<slice> slices;
    for (int i = 0; i != dimensions; ++i) {
        if (sizes[i] < 1 || subsizes[i] < 0 || starts[i] < 0 || subsizes[i] > sizes[i] ||
            starts[i] > sizes[i] - subsizes[i])
            return abi::err_arg;
        slices.push_back({starts[i], subsizes[i], sizes[i], 1, 0});
    }
    call_record record(combiner::subarray, form);
    record.add_integer(dimensions);
    record.add_counts(sizes, dimensions);
    record.add_counts(subsizes, dimensions);
    record.add_counts(starts, dimensions);
    record.add_integer(order);
    record.add_type(old);
    return build({sizes, sizes + dimensions}, slices, order, old, std::move(record), made);
}

int type_darray(int processes, int rank, int dimensions, const std::int64_t *sizes,
                const int *distributions, const int *arguments, const int *process_sizes, int order,
                const type_pointer &old, type_pointer *made, call_form form) {
    if (!old)
        return abi::err_type;
    if (dimensions < 1 || processes < 1 || rank < 0 || rank >= processes || !is_order(order))
        return abi::err_arg;
    std::vector<slice> slices(static_cast<std::size_t>(dimensions));
    // The ranks are in C's order in the grid of processes, whatever the array's order is.
    int rest_of_rank = rank;
    std::int64_t grid = 1;
    for (int i = dimensions - 1; i >= 0; --i) {
        if (sizes[i] < 1 || process_sizes[i] < 1)
            return abi::err_arg;
        if (int error =
                distribute(sizes[i], distributions[i], arguments[i], process_sizes[i],
                           rest_of_rank % process_sizes[i], &slices[static_cast<std::size_t>(i)]))
            return error;
        rest_of_rank /= process_sizes[i];
        if (__builtin_mul_overflow(grid, process_sizes[i], &grid))
            return abi::err_arg;
    }
    if (grid != processes)
        return abi::err_arg;
    call_record record(combiner::darray, form);
    record.add_integer(processes);
    record.add_integer(rank);
    record.add_integer(dimensions);
    record.add_counts(sizes, dimensions);
    record.add_integers(distributions, dimensions);
    record.add_integers(arguments, dimensions);
    record.add_integers(process_sizes, dimensions);
    record.add_integer(order);
    record.add_type(old);
    return build({sizes, sizes + dimensions}, slices, order, old, std::move(record), made);
}

} // namespace saguaro::mpi
