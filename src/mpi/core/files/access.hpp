// SPDX-License-Identifier: MIT
// One access: elements of memory from or to a part of what a rank sees of a file.
#pragma once

#include "mpi/core/files/file_object.hpp"

#include <cstdint>

namespace saguaro::mpi {

enum class direction { read, write };

class file_access {
public:
    // err_... if the access is not allowed, or an argument is wrong; the file is found then if
    // there is one, for who must take part in a collective all the same.
    int prepare(file which, direction way, const void *buffer, std::int64_t count, datatype type);

    file_object &on() const { return *file_; }
    bool has_file() const { return file_ != nullptr; }

    // The etypes that are asked for, and the bytes in the file that they are.
    std::int64_t etypes() const;
    std::int64_t bytes_in_file() const { return bytes_in_file_; }

    // Moves the data, from etype `position` of the view on. What was moved goes to `out`.
    int run(std::int64_t position, status *out);
    // The etypes that were moved, the last one perhaps in part.
    std::int64_t etypes_done() const;

private:
    int run_as_is(std::int64_t offset);
    int run_converted(std::int64_t offset);
    int move_part(std::int64_t offset, char *at, std::int64_t bytes, std::int64_t *done) const;

    file_object *file_ = nullptr;
    direction way_ = direction::read;
    converted_buffer buffer_{};
    std::int64_t bytes_in_file_ = 0;
    std::int64_t done_in_file_ = 0;
    std::int64_t done_in_memory_ = 0;
};

} // namespace saguaro::mpi
