// SPDX-License-Identifier: MIT
// Datatypes: the engine's constructors, by handles.
#include "detmpi/core/arguments.hpp"
#include "detmpi/core/functions.hpp"
#include "detmpi/core/process.hpp"
#include "detmpi/datatypes/arrays.hpp"
#include "detmpi/datatypes/constructors.hpp"
#include "detmpi/datatypes/predefined.hpp"

#include <cstring>

namespace saguaro::detmpi::core {

namespace {

datatype_table &types() {
    return process::mine->types;
}

// construct(old, &made) of a type by handle, to a new handle.
template <class Construct>
int derive(datatype old, datatype *out, Construct construct) {
    const type_pointer *const from = find_type(old);
    if (from == nullptr)
        return mpi::err_type;
    type_pointer made;
    const int error = construct(*from, &made);
    if (error == 0)
        *out = types().add(made);
    return error;
}

} // namespace

int type_contiguous(std::int64_t count, datatype old, datatype *out) {
    return derive(old, out, [&](const type_pointer &from, type_pointer *made) {
        return detmpi::type_contiguous(count, from, made);
    });
}

int type_vector(std::int64_t count, std::int64_t block, std::int64_t stride, datatype old,
                datatype *out) {
    return derive(old, out, [&](const type_pointer &from, type_pointer *made) {
        return detmpi::type_vector(count, block, stride, from, made);
    });
}

int type_create_hvector(std::int64_t count, std::int64_t block, std::int64_t stride, datatype old,
                        datatype *out) {
    return derive(old, out, [&](const type_pointer &from, type_pointer *made) {
        return detmpi::type_hvector(count, block, stride, from, made);
    });
}

int type_indexed(std::int64_t count, const std::int64_t *blocks, const std::int64_t *places,
                 datatype old, datatype *out) {
    return derive(old, out, [&](const type_pointer &from, type_pointer *made) {
        return detmpi::type_indexed(count, blocks, places, from, made);
    });
}

int type_create_hindexed(std::int64_t count, const std::int64_t *blocks, const std::int64_t *places,
                         datatype old, datatype *out) {
    return derive(old, out, [&](const type_pointer &from, type_pointer *made) {
        return detmpi::type_hindexed(count, blocks, places, from, made);
    });
}

int type_create_indexed_block(std::int64_t count, std::int64_t block, const std::int64_t *places,
                              datatype old, datatype *out) {
    return derive(old, out, [&](const type_pointer &from, type_pointer *made) {
        return detmpi::type_indexed_block(count, block, places, from, made);
    });
}

int type_create_hindexed_block(std::int64_t count, std::int64_t block, const std::int64_t *places,
                               datatype old, datatype *out) {
    return derive(old, out, [&](const type_pointer &from, type_pointer *made) {
        return detmpi::type_hindexed_block(count, block, places, from, made);
    });
}

int type_create_struct(std::int64_t count, const std::int64_t *blocks, const std::int64_t *places,
                       const datatype *olds, datatype *out) {
    if (count < 0)
        return mpi::err_count;
    std::vector<type_pointer> from;
    for (std::int64_t i = 0; i < count; ++i) {
        const type_pointer *const t = find_type(olds[i]);
        if (t == nullptr)
            return mpi::err_type;
        from.push_back(*t);
    }
    type_pointer made;
    const int error = detmpi::type_struct(count, blocks, places, from.data(), &made);
    if (error == 0)
        *out = types().add(made);
    return error;
}

int type_create_resized(datatype old, std::int64_t lower_bound, std::int64_t extent,
                        datatype *out) {
    return derive(old, out, [&](const type_pointer &from, type_pointer *made) {
        return detmpi::type_resized(from, lower_bound, extent, made);
    });
}

int type_create_subarray(int dimensions, const std::int64_t *sizes, const std::int64_t *subsizes,
                         const std::int64_t *starts, int order, datatype old, datatype *out) {
    return derive(old, out, [&](const type_pointer &from, type_pointer *made) {
        return detmpi::type_subarray(dimensions, sizes, subsizes, starts, order, from, made);
    });
}

int type_create_darray(int processes, int rank, int dimensions, const std::int64_t *sizes,
                       const int *distributions, const int *arguments, const int *process_sizes,
                       int order, datatype old, datatype *out) {
    return derive(old, out, [&](const type_pointer &from, type_pointer *made) {
        return detmpi::type_darray(processes, rank, dimensions, sizes, distributions, arguments,
                                   process_sizes, order, from, made);
    });
}

int type_match_size(int type_class, int size, datatype *out) {
    *out = match_size(type_class, size);
    return *out == datatype::null ? mpi::err_arg : mpi::success;
}

int type_dup(datatype old, datatype *out) {
    const bool was_committed = types().committed(old);
    const int error = derive(old, out, [&](const type_pointer &from, type_pointer *made) {
        return detmpi::type_dup(from, made);
    });
    return error == 0 && was_committed ? types().commit(*out) : error;
}

int type_commit(datatype *which) {
    return types().commit(*which);
}

int type_free(datatype *which) {
    return types().free(which);
}

int type_size(datatype of, std::int64_t *out) {
    const datatype_object *const t = object_of(of);
    if (t == nullptr)
        return mpi::err_type;
    *out = t->size();
    return mpi::success;
}

int type_get_extent(datatype of, std::int64_t *lower_bound, std::int64_t *extent) {
    const datatype_object *const t = object_of(of);
    if (t == nullptr)
        return mpi::err_type;
    *lower_bound = t->lower_bound();
    *extent = t->extent();
    return mpi::success;
}

int type_get_true_extent(datatype of, std::int64_t *lower_bound, std::int64_t *extent) {
    const datatype_object *const t = object_of(of);
    if (t == nullptr)
        return mpi::err_type;
    *lower_bound = t->true_lower_bound();
    *extent = t->true_extent();
    return mpi::success;
}

int type_set_name(datatype which, const char *name) {
    return types().set_name(which, name);
}

int type_get_name(datatype which, char *name, int *length) {
    if (object_of(which) == nullptr)
        return mpi::err_type;
    const std::string_view text = types().name_of(which);
    std::memcpy(name, text.data(), text.size());
    name[text.size()] = '\0';
    *length = static_cast<int>(text.size());
    return mpi::success;
}

int get_count(const status *of, datatype type, std::int64_t *out) {
    const datatype_object *const t = object_of(type);
    if (t == nullptr)
        return mpi::err_type;
    const std::int64_t count = t->count_in(of->bytes);
    *out = count < 0 ? mpi::undefined : count;
    return mpi::success;
}

int get_elements(const status *of, datatype type, std::int64_t *out) {
    const datatype_object *const t = object_of(type);
    if (t == nullptr)
        return mpi::err_type;
    const std::int64_t count = t->elements_in(of->bytes);
    *out = count < 0 ? mpi::undefined : count;
    return mpi::success;
}

int status_set_elements(status *of, datatype type, std::int64_t count) {
    const datatype_object *const t = object_of(type);
    if (t == nullptr)
        return mpi::err_type;
    if (count < 0)
        return mpi::err_count;
    of->bytes = count * t->size();
    return mpi::success;
}

int pack_size(std::int64_t count, datatype type, comm, std::int64_t *size) {
    const datatype_object *const t = object_of(type);
    if (t == nullptr)
        return mpi::err_type;
    if (count < 0)
        return mpi::err_count;
    *size = count * t->size();
    return mpi::success;
}

int pack(const void *in, std::int64_t count, datatype type, void *out, std::int64_t size,
         std::int64_t *position, comm) {
    typed_buffer from;
    if (const int error = make_buffer(from, in, count, type))
        return error;
    if (*position < 0 || from.bytes > size - *position)
        return mpi::err_truncate;
    from.read(static_cast<char *>(out) + *position, static_cast<std::size_t>(from.bytes));
    *position += from.bytes;
    return mpi::success;
}

int unpack(const void *in, std::int64_t size, std::int64_t *position, void *out, std::int64_t count,
           datatype type, comm) {
    typed_buffer to;
    if (const int error = make_buffer(to, out, count, type))
        return error;
    if (*position < 0 || to.bytes > size - *position)
        return mpi::err_truncate;
    to.write(static_cast<const char *>(in) + *position, static_cast<std::size_t>(to.bytes));
    *position += to.bytes;
    return mpi::success;
}

} // namespace saguaro::detmpi::core
