// SPDX-License-Identifier: MIT
// The properties of an open file that MPI lets a program read and change, besides data and view.
#include "mpi/core/files/agreement.hpp"
#include "mpi/core/files/file_object.hpp"
#include "mpi/core/interface/functions.hpp"
#include "mpi/core/process/process.hpp"

#include <optional>

namespace saguaro::mpi::core {

namespace {

int check_change_of_size(const file_object &of, std::int64_t bytes) {
    if (bytes < 0)
        return abi::err_arg;
    if (of.is_sequential())
        return abi::err_unsupported_operation;
    return of.is_writable() ? abi::success : abi::err_read_only;
}

} // namespace

int file_set_size(file which, std::int64_t bytes) {
    file_object *const f = mpi::find(which);
    if (f == nullptr)
        return abi::err_file;
    collective all(f->among, "MPI_File_set_size");
    return once_for_all(all, check_change_of_size(*f, bytes), bytes,
                        [&] { return f->bytes.set_size(bytes); });
}

int file_preallocate(file which, std::int64_t bytes) {
    file_object *const f = mpi::find(which);
    if (f == nullptr)
        return abi::err_file;
    collective all(f->among, "MPI_File_preallocate");
    return once_for_all(all, check_change_of_size(*f, bytes), bytes,
                        [&] { return f->bytes.allocate(bytes); });
}

int file_get_size(file which, std::int64_t *bytes) {
    const file_object *const f = mpi::find(which);
    if (f == nullptr)
        return abi::err_file;
    std::optional<file_turn> own;
    if (f->is_atomic)
        own.emplace(f->among, f->shared(), "MPI_File_get_size");
    return f->bytes.size(bytes);
}

int file_get_group(file which, group *out) {
    const file_object *const f = mpi::find(which);
    return f == nullptr ? abi::err_file : comm_group(f->among.handle, out);
}

int file_get_amode(file which, int *mode) {
    const file_object *const f = mpi::find(which);
    if (f == nullptr)
        return abi::err_file;
    *mode = f->mode;
    return abi::success;
}

// No hint changes what is done. Each is kept, as the program may ask for it.
int file_set_info(file which, info hints) {
    file_object *const f = mpi::find(which);
    if (f == nullptr)
        return abi::err_file;
    return take_hints(*f, hints);
}

int file_get_info(file which, info *out) {
    const file_object *const f = mpi::find(which);
    if (f == nullptr)
        return abi::err_file;
    *out = make_info(f->hints);
    return abi::success;
}

int file_set_atomicity(file which, int flag) {
    file_object *const f = mpi::find(which);
    if (f == nullptr)
        return abi::err_file;
    collective all(f->among, "MPI_File_set_atomicity");
    const int error = once_for_all(all, abi::success, flag != 0, [] { return abi::success; });
    if (error == 0)
        f->is_atomic = flag != 0;
    return error;
}

int file_get_atomicity(file which, int *flag) {
    const file_object *const f = mpi::find(which);
    if (f == nullptr)
        return abi::err_file;
    *flag = f->is_atomic ? 1 : 0;
    return abi::success;
}

// All ranks share the system's memory of the file, so one of them writes it out for all.
int file_sync(file which) {
    file_object *const f = mpi::find(which);
    if (f == nullptr)
        return abi::err_file;
    collective all(f->among, "MPI_File_sync");
    return once_for_all(all, abi::success, 0, [&] { return f->bytes.sync(); });
}

} // namespace saguaro::mpi::core
