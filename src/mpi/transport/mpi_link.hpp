// SPDX-License-Identifier: MIT
// A link by an MPI library that is installed: MPICH or Open MPI, loaded when it is needed.
#pragma once

#include "mpi/transport/link.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace saguaro::mpi::transport {

// This process among those that an installed mpiexec has begun, one on each host.
struct begun_by {
    enum class family { mpich, open_mpi } by;
    std::uint32_t me;
    std::uint32_t hosts;
};

// By the environment. None if no such mpiexec has begun it.
std::optional<begun_by> find_who_began();

// A program that this process begins is no process of that mpiexec's: its variables and descriptors
// are not handed on. Before any thread begins.
bool belongs_to_mpiexec(const std::string &variable);
void keep_descriptors_of_mpiexec();

// The library, loaded and not begun.
class mpi_library {
public:
    virtual ~mpi_library() = default;
    // Begins it, and meets the other hosts. In the thread that calls the link.
    virtual std::unique_ptr<link> begin(const begun_by &who) = 0;
};

// Null if there is none, and why: what was looked for.
std::unique_ptr<mpi_library> load_mpi(begun_by::family which, std::string &why);

} // namespace saguaro::mpi::transport
