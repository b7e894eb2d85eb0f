// SPDX-License-Identifier: MIT
// An open file, as one of its ranks has it.
#pragma once

#include "mpi/core/communicators/communicators.hpp"
#include "mpi/core/files/file_view.hpp"
#include "mpi/core/files/system_file.hpp"
#include "mpi/core/files/turns.hpp"
#include "mpi/core/info/info.hpp"
#include "mpi/core/interface/status.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace saguaro::mpi {

// A collective access whose end is to come.
struct split_access {
    const char *begun_by;
    status result;
};

struct file_object {
    file_object(comm_object &of, int how, const char *name)
        : among(of), mode(how), path(path_of(name)) {}
    ~file_object() {
        if (memory != nullptr)
            rank::mine->all().give_block(*memory);
    }

    comm_object &among; // the file's own communicator
    block *memory = nullptr;
    int mode;
    std::string path;
    system_file bytes;
    file_view view;
    std::int64_t position = 0; // of this rank's file pointer, in etypes
    bool is_atomic = false;
    std::optional<split_access> split;
    info_list hints;
    errhandler handler = errhandler::errors_return;

    shared_file &shared() const { return *reinterpret_cast<shared_file *>(memory->data()); }
    bool is_readable() const { return (mode & abi::mode_wronly) == 0; }
    bool is_writable() const { return (mode & abi::mode_rdonly) == 0; }
    bool is_sequential() const { return (mode & abi::mode_sequential) != 0; }
};

// Adds hints to those that the file has.
inline int take_hints(file_object &of, info hints) {
    info_list said;
    const int error = read_info(hints, said);
    for (const auto &[key, value] : said)
        set_value(of.hints, key, value);
    return error;
}

// Null if there is none.
file_object *find(file which);

} // namespace saguaro::mpi
