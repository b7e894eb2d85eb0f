// SPDX-License-Identifier: MIT
// Part of a view's stream from and to one piece of memory.
#pragma once

#include "mpi/core/files/file_object.hpp"

#include <cstdint>

namespace saguaro::mpi {

// *done: how many bytes from the begin were read, until the file ended, or written.
int read_pieces(const file_object &of, std::int64_t offset, char *to, std::int64_t bytes,
                std::int64_t *done);
// Bytes of the file that the view does not show are left alone.
int write_pieces(const file_object &of, std::int64_t offset, const char *from, std::int64_t bytes,
                 std::int64_t *done);

} // namespace saguaro::mpi
