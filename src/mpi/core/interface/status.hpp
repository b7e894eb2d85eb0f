// SPDX-License-Identifier: MIT
// The status of a completed operation. A face turns it into its own MPI_Status.
#pragma once

#include "mpi/core/interface/constants.hpp"

#include <cstdint>

namespace saguaro::mpi {

struct status {
    // The error of an operation that completed alone is what the function returns. Only functions
    // that complete several operations set this member: the face leaves MPI_ERROR alone if it is
    // `error_unset`.
    static constexpr int error_unset = -1;

    int source = abi::any_source;
    int tag = abi::any_tag;
    int error = error_unset;
    std::int64_t bytes = 0;
    bool cancelled = false;
};

} // namespace saguaro::mpi
