// SPDX-License-Identifier: MIT
// Datatypes: the engine's constructors, by handles.
#include "mpi/core/interface/functions.hpp"
#include "mpi/core/process/arguments.hpp"
#include "mpi/core/process/process.hpp"
#include "mpi/datatypes/arrays.hpp"
#include "mpi/datatypes/constructors.hpp"
#include "mpi/datatypes/predefined.hpp"

#include <algorithm>
#include <iterator>

namespace saguaro::mpi::core {

namespace {

datatype_table &types() {
    return process::mine->types;
}

// construct(old, &made) of a type by handle, to a new handle.
template <class Construct>
int derive(datatype old, datatype *out, Construct construct) {
    const type_pointer *const from = find_type(old);
    if (from == nullptr)
        return abi::err_type;
    type_pointer made;
    const int error = construct(*from, &made);
    if (error == 0)
        *out = types().add(made);
    return error;
}

} // namespace

int type_contiguous(std::int64_t count, datatype old, datatype *out) {
    return derive(old, out, [&](const type_pointer &from, type_pointer *made) {
        return mpi::type_contiguous(count, from, made);
    });
}

int type_vector(std::int64_t count, std::int64_t block, std::int64_t stride, datatype old,
                datatype *out) {
    return derive(old, out, [&](const type_pointer &from, type_pointer *made) {
        return mpi::type_vector(count, block, stride, from, made);
    });
}

int type_create_hvector(std::int64_t count, std::int64_t block, std::int64_t stride, datatype old,
                        datatype *out) {
    return derive(old, out, [&](const type_pointer &from, type_pointer *made) {
        return mpi::type_hvector(count, block, stride, from, made);
    });
}

int type_indexed(std::int64_t count, const std::int64_t *blocks, const std::int64_t *places,
                 datatype old, datatype *out) {
    return derive(old, out, [&](const type_pointer &from, type_pointer *made) {
        return mpi::type_indexed(count, blocks, places, from, made);
    });
}

int type_create_hindexed(std::int64_t count, const std::int64_t *blocks, const std::int64_t *places,
                         datatype old, datatype *out) {
    return derive(old, out, [&](const type_pointer &from, type_pointer *made) {
        return mpi::type_hindexed(count, blocks, places, from, made);
    });
}

int type_create_indexed_block(std::int64_t count, std::int64_t block, const std::int64_t *places,
                              datatype old, datatype *out) {
    return derive(old, out, [&](const type_pointer &from, type_pointer *made) {
        return mpi::type_indexed_block(count, block, places, from, made);
    });
}

int type_create_hindexed_block(std::int64_t count, std::int64_t block, const std::int64_t *places,
                               datatype old, datatype *out) {
    return derive(old, out, [&](const type_pointer &from, type_pointer *made) {
        return mpi::type_hindexed_block(count, block, places, from, made);
    });
}

int type_create_struct(std::int64_t count, const std::int64_t *blocks, const std::int64_t *places,
                       const datatype *olds, datatype *out) {
    if (count < 0)
        return abi::err_count;
    std::vector<type_pointer> from;
    for (std::int64_t i = 0; i < count; ++i) {
        const type_pointer *const t = find_type(olds[i]);
        if (t == nullptr)
            return abi::err_type;
        from.push_back(*t);
    }
    type_pointer made;
    const int error = mpi::type_struct(count, blocks, places, from.data(), &made);
    if (error == 0)
        *out = types().add(made);
    return error;
}

int type_create_resized(datatype old, std::int64_t lower_bound, std::int64_t extent,
                        datatype *out) {
    return derive(old, out, [&](const type_pointer &from, type_pointer *made) {
        return mpi::type_resized(from, lower_bound, extent, made);
    });
}

int type_create_subarray(int dimensions, const std::int64_t *sizes, const std::int64_t *subsizes,
                         const std::int64_t *starts, int order, datatype old, datatype *out) {
    return derive(old, out, [&](const type_pointer &from, type_pointer *made) {
        return mpi::type_subarray(dimensions, sizes, subsizes, starts, order, from, made);
    });
}

int type_create_darray(int processes, int rank, int dimensions, const std::int64_t *sizes,
                       const int *distributions, const int *arguments, const int *process_sizes,
                       int order, datatype old, datatype *out) {
    return derive(old, out, [&](const type_pointer &from, type_pointer *made) {
        return mpi::type_darray(processes, rank, dimensions, sizes, distributions, arguments,
                                process_sizes, order, from, made);
    });
}

int type_match_size(int type_class, int size, datatype *out) {
    *out = match_size(type_class, size);
    return *out == datatype::null ? abi::err_arg : abi::success;
}

int type_create_f90_real(int precision, int range, datatype *out) {
    return types().add_f90(combiner::f90_real, precision, range, out);
}

int type_create_f90_complex(int precision, int range, datatype *out) {
    return types().add_f90(combiner::f90_complex, precision, range, out);
}

int type_create_f90_integer(int range, datatype *out) {
    return types().add_f90(combiner::f90_integer, 0, range, out);
}

int type_get_value_index(datatype value, datatype index, datatype *pair) {
    if (find_predefined(value) == nullptr || find_predefined(index) == nullptr)
        return abi::err_type;
    *pair = match_value_index(value, index);
    return abi::success;
}

int type_dup(datatype old, datatype *out) {
    const bool was_committed = types().committed(old);
    if (const int error = derive(old, out, [&](const type_pointer &from, type_pointer *made) {
            return mpi::type_dup(from, made);
        }))
        return error;
    if (was_committed)
        types().commit(*out);
    if (!process::mine->type_attributes.contains(old))
        return abi::success;
    const int error = copy_attributes(old, *out);
    // If a function refuses that a copy goes, the type stays, without a handle.
    if (error != 0 && type_free(out) != 0)
        *out = datatype::null;
    return error;
}

int type_commit(datatype *which) {
    return types().commit(*which);
}

int type_free(datatype *which) {
    const datatype old = *which;
    if (!types().can_be_freed(old))
        return abi::err_type;
    if (process::mine->type_attributes.contains(old)) {
        if (const int error = delete_attributes(old))
            return error;
        process::mine->type_attributes.erase(old);
    }
    return types().free(which);
}

int type_size(datatype of, std::int64_t *out) {
    const datatype_object *const t = object_of(of);
    if (t == nullptr)
        return abi::err_type;
    *out = t->size();
    return abi::success;
}

int type_get_extent(datatype of, std::int64_t *lower_bound, std::int64_t *extent) {
    const datatype_object *const t = object_of(of);
    if (t == nullptr)
        return abi::err_type;
    *lower_bound = t->lower_bound();
    *extent = t->extent();
    return abi::success;
}

int type_get_true_extent(datatype of, std::int64_t *lower_bound, std::int64_t *extent) {
    const datatype_object *const t = object_of(of);
    if (t == nullptr)
        return abi::err_type;
    *lower_bound = t->true_lower_bound();
    *extent = t->true_extent();
    return abi::success;
}

int type_get_envelope(datatype of, std::int64_t *integers, std::int64_t *addresses,
                      std::int64_t *large_counts, std::int64_t *types, int *combiner) {
    const datatype_object *const t = object_of(of);
    if (t == nullptr)
        return abi::err_type;
    const contents &all = t->made_from();
    *integers = std::ssize(all.integers);
    *addresses = std::ssize(all.addresses);
    *large_counts = std::ssize(all.counts);
    *types = std::ssize(all.types);
    *combiner = static_cast<int>(all.made_by);
    return abi::success;
}

int type_get_contents(datatype of, std::int64_t max_integers, std::int64_t max_addresses,
                      std::int64_t max_large_counts, std::int64_t max_types, int *integers,
                      std::int64_t *addresses, std::int64_t *large_counts, datatype *types_out) {
    const type_pointer *const t = find_type(of);
    // What has no constructor has no contents.
    if (t == nullptr || (*t)->made_from().made_by == combiner::named)
        return abi::err_type;
    const type_pointer kept = *t; // new handles change the table
    const contents &all = kept->made_from();
    if (max_integers < std::ssize(all.integers) || max_addresses < std::ssize(all.addresses) ||
        max_large_counts < std::ssize(all.counts) || max_types < std::ssize(all.types))
        return abi::err_arg;
    std::copy(all.integers.begin(), all.integers.end(), integers);
    std::copy(all.addresses.begin(), all.addresses.end(), addresses);
    std::copy(all.counts.begin(), all.counts.end(), large_counts);
    std::transform(all.types.begin(), all.types.end(), types_out,
                   [](const type_pointer &each) { return types().add(each); });
    return abi::success;
}

int type_set_name(datatype which, const char *name) {
    return types().set_name(which, name);
}

int type_get_name(datatype which, char *name, int *length) {
    if (which == datatype::null)
        return give_name("MPI_DATATYPE_NULL", name, length);
    if (object_of(which) == nullptr)
        return abi::err_type;
    return give_name(types().name_of(which), name, length);
}

int get_count(const status *of, datatype type, std::int64_t *out) {
    const datatype_object *const t = object_of(type);
    if (t == nullptr)
        return abi::err_type;
    const std::int64_t count = t->count_in(of->bytes);
    *out = count < 0 ? abi::undefined : count;
    return abi::success;
}

int get_elements(const status *of, datatype type, std::int64_t *out) {
    const datatype_object *const t = object_of(type);
    if (t == nullptr)
        return abi::err_type;
    const std::int64_t count = t->elements_in(of->bytes);
    *out = count < 0 ? abi::undefined : count;
    return abi::success;
}

int status_set_elements(status *of, datatype type, std::int64_t count) {
    const datatype_object *const t = object_of(type);
    if (t == nullptr)
        return abi::err_type;
    if (count < 0 || !t->has_bytes_of(count))
        return abi::err_count;
    of->bytes = t->bytes_of(count);
    return abi::success;
}

} // namespace saguaro::mpi::core
