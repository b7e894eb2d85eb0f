// SPDX-License-Identifier: MIT
// Views, pointers, and data representations.
#include "mpi/core/files/agreement.hpp"
#include "mpi/core/files/file_object.hpp"
#include "mpi/core/interface/functions.hpp"
#include "mpi/core/process/arguments.hpp"
#include "mpi/core/process/process.hpp"

#include <cstring>
#include <functional>
#include <string_view>

namespace saguaro::mpi::core {

namespace {

// What must be the same at all ranks.
struct view_offer {
    std::int64_t etype_extent = 0;
    std::size_t representation = 0; // a number of its name
    bool operator==(const view_offer &) const = default;
};

int make_view(const file_object &of, std::int64_t displacement, datatype etype, datatype filetype,
              const char *name, file_view *out) {
    const type_pointer *const e = find_committed(etype);
    const type_pointer *const t = find_committed(filetype);
    if (e == nullptr || t == nullptr)
        return abi::err_type;
    if (name == nullptr)
        return abi::err_arg;
    const representation *const how = process::mine->representations.find(name);
    if (how == nullptr)
        return abi::err_unsupported_datarep;
    // What is read in sequence has no other places than the next one.
    if (of.is_sequential() != (displacement == displacement_current))
        return abi::err_disp;
    if (!of.is_sequential() && displacement < 0)
        return abi::err_arg;
    return file_view::make(of.is_sequential() ? 0 : displacement, *e, *t, *how, of.is_writable(),
                           out);
}

// Where a pointer goes from `now`.
int sought(const file_object &of, std::int64_t offset, int whence, std::int64_t now,
           std::int64_t *out) {
    std::int64_t from = 0;
    if (whence == abi::seek_cur) {
        from = now;
    } else if (whence == abi::seek_end) {
        std::int64_t size = 0;
        if (const int error = of.bytes.size(&size))
            return error;
        from = of.view.etypes_before(size);
    } else if (whence != abi::seek_set) {
        return abi::err_arg;
    }
    std::int64_t to = 0;
    if (__builtin_add_overflow(from, offset, &to) || to < 0)
        return abi::err_arg;
    *out = to;
    return abi::success;
}

} // namespace

int file_set_view(file which, std::int64_t displacement, datatype etype, datatype filetype,
                  const char *name, info hints) {
    file_object *const f = mpi::find(which);
    if (f == nullptr)
        return abi::err_file;
    file_view made;
    int error = make_view(*f, displacement, etype, filetype, name, &made);
    if (error == 0)
        error = take_hints(*f, hints);
    const view_offer mine =
        error == 0 ? view_offer{made.etype_extent(), std::hash<std::string_view>()(made.how().name)}
                   : view_offer{};
    struct answer {
        int error;
        std::int64_t place; // of the shared pointer
    };
    collective all(f->among, "MPI_File_set_view");
    const answer common =
        answer_of_first(all, agreed_call<view_offer>{error, mine},
                        [&](const std::vector<agreed_call<view_offer>> &calls) {
                            answer said{common_error(calls), 0};
                            std::atomic<std::int64_t> &position = f->shared().position;
                            if (said.error == 0) {
                                said.place =
                                    f->view.place_of(position.load(std::memory_order_relaxed) *
                                                     f->view.etype_size());
                                position.store(0, std::memory_order_relaxed);
                            }
                            return std::vector<answer>(calls.size(), said);
                        });
    if (error != 0 || common.error != 0)
        return error != 0 ? error : common.error;
    if (f->is_sequential())
        made.move_to(common.place);
    f->view = std::move(made);
    f->position = 0;
    return abi::success;
}

int file_get_view(file which, std::int64_t *displacement, datatype *etype, datatype *filetype,
                  char *name) {
    const file_object *const f = mpi::find(which);
    if (f == nullptr)
        return abi::err_file;
    datatype_table &types = process::mine->types;
    *displacement = f->view.displacement();
    *etype = types.add(f->view.etype());
    types.commit(*etype);
    *filetype = types.add(f->view.filetype());
    types.commit(*filetype);
    std::memcpy(name, f->view.how().name.c_str(), f->view.how().name.size() + 1);
    return abi::success;
}

int file_get_type_extent(file which, datatype type, std::int64_t *extent) {
    const file_object *const f = mpi::find(which);
    if (f == nullptr)
        return abi::err_file;
    const type_pointer *const t = find_type(type);
    if (t == nullptr)
        return abi::err_type;
    type_pointer in_file;
    const int error = file_form(f->view.how(), *t, &in_file);
    if (error == 0)
        *extent = in_file->extent();
    return error;
}

int file_get_byte_offset(file which, std::int64_t offset, std::int64_t *byte) {
    const file_object *const f = mpi::find(which);
    if (f == nullptr)
        return abi::err_file;
    if (f->is_sequential())
        return abi::err_unsupported_operation;
    if (offset < 0)
        return abi::err_arg;
    *byte = f->view.place_of(offset * f->view.etype_size());
    return abi::success;
}

int file_seek(file which, std::int64_t offset, int whence) {
    file_object *const f = mpi::find(which);
    if (f == nullptr)
        return abi::err_file;
    if (f->is_sequential())
        return abi::err_unsupported_operation;
    return sought(*f, offset, whence, f->position, &f->position);
}

int file_get_position(file which, std::int64_t *offset) {
    const file_object *const f = mpi::find(which);
    if (f == nullptr)
        return abi::err_file;
    if (f->is_sequential())
        return abi::err_unsupported_operation;
    *offset = f->position;
    return abi::success;
}

int file_seek_shared(file which, std::int64_t offset, int whence) {
    file_object *const f = mpi::find(which);
    if (f == nullptr)
        return abi::err_file;
    struct target {
        std::int64_t offset;
        std::int64_t whence;
        bool operator==(const target &) const = default;
    };
    const int error = f->is_sequential() ? abi::err_unsupported_operation : abi::success;
    collective all(f->among, "MPI_File_seek_shared");
    return once_for_all(all, error, target{offset, whence}, [&] {
        // Relaxed: all earlier accesses have come before by messages, all later ones come behind.
        std::atomic<std::int64_t> &position = f->shared().position;
        std::int64_t to = position.load(std::memory_order_relaxed);
        const int own = sought(*f, offset, whence, to, &to);
        position.store(to, std::memory_order_relaxed);
        return own;
    });
}

int file_get_position_shared(file which, std::int64_t *offset) {
    const file_object *const f = mpi::find(which);
    if (f == nullptr)
        return abi::err_file;
    const file_turn own(f->among, f->shared(), "MPI_File_get_position_shared");
    *offset = f->shared().position.load(std::memory_order_relaxed);
    return abi::success;
}

int register_datarep(const char *name, data_conversion read, data_conversion write,
                     data_extent extent, void *extra_state) {
    if (name == nullptr || *name == '\0' || extent.thunk == nullptr ||
        strnlen(name, abi::max_datarep_string) == abi::max_datarep_string)
        return abi::err_arg;
    return process::mine->representations.add(
        {name, representation::form::program, read, write, extent, extra_state});
}

} // namespace saguaro::mpi::core
