// SPDX-License-Identifier: MIT
// The memory of a target, as an origin reaches it: README.md, "The memory".
#pragma once

#include "mpi/core/requests/requests.hpp"

#include <cstdint>
#include <span>
#include <sys/types.h>
#include <sys/uio.h>

namespace saguaro::mpi {

struct target_memory {
    // In this process: its own memory, or memory that the ranks share. Otherwise it is the address
    // in the other process.
    std::uintptr_t base = 0;
    std::int64_t size = 0;
    int unit = 1; // bytes of a displacement
    bool is_here = false;
    pid_t process = 0;
};

// Elements in a target's memory.
struct target_elements {
    const target_memory *memory = nullptr;
    std::uintptr_t address = 0;
    std::int64_t count = 0;
    const datatype_object *type = nullptr;

    std::int64_t bytes() const { return count * type->size(); }
};

// Copy the first `bytes` of the elements' stream. abi::err_rma_range if the other process has no
// such memory. A system that refuses the access ends the process with a line.
int read_target(const target_elements &from, void *stream, std::int64_t bytes);
int write_target(const target_elements &to, const void *stream, std::int64_t bytes);

enum class way : bool { read, write };

// What one call of the system takes, well below its own limits: IOV_MAX pieces, and not quite 2 GB.
inline constexpr std::size_t most_pieces = 512;
inline constexpr std::size_t most_bytes = std::size_t{1} << 30;

// Copies pieces of another process's memory to pieces of this process's, or the other way, with one
// call of the system: at most `most_pieces` on each side, with as many bytes on both. False if the
// other process does not have all of the memory; then some of it may be copied. A system that
// refuses the access ends the process with a line.
bool copy_pieces(pid_t process, way direction, std::span<const iovec> here,
                 std::span<const iovec> there);

// Lets the other ranks reach this process's memory, where the system asks for that.
void allow_access();

} // namespace saguaro::mpi
