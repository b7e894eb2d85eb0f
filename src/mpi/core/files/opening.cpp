// SPDX-License-Identifier: MIT
// Opening, closing and deleting files.
#include "mpi/core/errors/errors.hpp"
#include "mpi/core/files/agreement.hpp"
#include "mpi/core/files/file_object.hpp"
#include "mpi/core/interface/functions.hpp"
#include "mpi/core/process/process.hpp"

#include <bit>
#include <cerrno>
#include <fcntl.h>
#include <unistd.h>

namespace saguaro::mpi {

file_object *find(file which) {
    const std::unique_ptr<file_object> *const found = process::mine->files.find(which);
    return found != nullptr ? found->get() : nullptr;
}

namespace {

constexpr int access_modes = abi::mode_rdonly | abi::mode_rdwr | abi::mode_wronly;
constexpr int all_modes = access_modes | abi::mode_append | abi::mode_create |
                          abi::mode_delete_on_close | abi::mode_excl | abi::mode_sequential |
                          abi::mode_unique_open;

int check_mode(int mode) {
    const bool reads_only = (mode & abi::mode_rdonly) != 0;
    const bool is_wrong = (mode & ~all_modes) != 0 ||
                          std::popcount(static_cast<unsigned>(mode & access_modes)) != 1 ||
                          (reads_only && (mode & (abi::mode_create | abi::mode_excl)) != 0) ||
                          ((mode & abi::mode_rdwr) != 0 && (mode & abi::mode_sequential) != 0);
    return is_wrong ? abi::err_amode : abi::success;
}

// The first rank makes the file; the others open what is there.
int flags_of(int mode, bool is_first) {
    int flags = (mode & abi::mode_rdonly) != 0   ? O_RDONLY
                : (mode & abi::mode_wronly) != 0 ? O_WRONLY
                                                 : O_RDWR;
    if (is_first && (mode & abi::mode_create) != 0)
        flags |= O_CREAT;
    if (is_first && (mode & abi::mode_excl) != 0)
        flags |= O_EXCL;
    return flags;
}

int unlink_file(const char *path) {
    return unlink(path) == 0 ? abi::success : class_of_errno(errno);
}

// A communicator of the same ranks, without the attributes of the other.
int make_own_comm(comm from, comm *out) {
    group members = group::null;
    int error = core::comm_group(from, &members);
    if (error == 0)
        error = core::comm_create(from, members, out);
    if (error == 0)
        core::group_free(&members);
    return error;
}

// What the ranks of an open file share; each of them gives it back.
place make_shared_file(int ranks) {
    world &all = rank::mine->all();
    block &memory = all.take_block(shared_file::bytes(ranks));
    // Relaxed: the others learn of it by a message.
    memory.readers.store(static_cast<std::uint32_t>(ranks), std::memory_order_relaxed);
    auto &made = *reinterpret_cast<shared_file *>(memory.data());
    made.position.store(0, std::memory_order_relaxed);
    for (int r = 0; r < ranks; ++r)
        made.wanted[r].store(0, std::memory_order_relaxed);
    return all.job().place_of(&memory);
}

// What the first rank says to all.
struct opened {
    int error;
    place shared;
};

// The first rank opens the file, and makes it if it has to; behind it the others open it.
int open_together(collective &all, file_object &made, int own_error) {
    const opened first = answer_of_first(
        all, agreed_call<int>{own_error, made.mode},
        [&](const std::vector<agreed_call<int>> &calls) {
            int error = common_error(calls);
            if (error == 0)
                error = made.bytes.open(made.path.c_str(), flags_of(made.mode, true));
            const place shared = error == 0 ? make_shared_file(all.size()) : place{};
            return std::vector<opened>(calls.size(), {error, shared});
        });
    if (first.error != 0)
        return own_error != 0 ? own_error : first.error;
    made.memory = rank::mine->all().job().at<block>(first.shared);
    int error = abi::success;
    if (all.me() != 0)
        error = made.bytes.open(made.path.c_str(), flags_of(made.mode, false));
    // With MPI_MODE_APPEND all pointers are at the end.
    if (error == 0 && (made.mode & abi::mode_append) != 0)
        error = made.bytes.size(&made.position);
    return once_for_all(all, error, 0, [&] {
        made.shared().position.store(made.position, std::memory_order_relaxed);
        return abi::success;
    });
}

} // namespace

namespace core {

int file_open(comm on, const char *name, int mode, info hints, file *out) {
    comm_object *from = nullptr;
    if (const int error = check(on, from))
        return error;
    if (refuses_machines(*from, "MPI_File_open"))
        return abi::err_unsupported_operation;
    comm own = comm::null;
    if (const int error = make_own_comm(on, &own))
        return error;
    auto made = std::make_unique<file_object>(*mpi::find(own), mode, name != nullptr ? name : "");
    int error = name == nullptr ? abi::err_arg : check_mode(mode);
    if (error == 0)
        error = take_hints(*made, hints);
    {
        collective all(made->among, "MPI_File_open");
        error = open_together(all, *made, error);
    }
    if (error != 0) {
        made.reset();
        comm_free(&own);
        return error;
    }
    made->handler = handler_of_no_file();
    join_handler(made->handler);
    *out = process::mine->files.add(std::move(made));
    return abi::success;
}

int file_close(file *which) {
    file_object *const f = mpi::find(*which);
    if (f == nullptr)
        return abi::err_file;
    // All have closed it before it is deleted.
    int error = f->split ? abi::err_io : abi::success;
    if (const int closed = f->bytes.close(); error == 0)
        error = closed;
    {
        collective all(f->among, "MPI_File_close");
        const int deleted = once_for_all(all, abi::success, 0, [&] {
            return (f->mode & abi::mode_delete_on_close) != 0 ? unlink_file(f->path.c_str())
                                                              : abi::success;
        });
        if (error == 0)
            error = deleted;
    }
    comm own = f->among.handle;
    leave_handler(f->handler);
    process::mine->files.remove(*which);
    *which = file::null;
    comm_free(&own);
    return error;
}

int file_delete(const char *name, info) {
    return name == nullptr ? abi::err_arg : unlink_file(path_of(name));
}

} // namespace core

} // namespace saguaro::mpi
