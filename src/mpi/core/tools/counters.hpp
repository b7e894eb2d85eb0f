// SPDX-License-Identifier: MIT
// A rank's counters of its own work, for MPI_T.
#pragma once

#include <cstdint>

namespace saguaro::mpi {

struct rank_counters {
    std::uint64_t messages_sent = 0;     // those of collectives included
    std::uint64_t bytes_sent = 0;        // of data
    std::uint64_t wildcards_decided = 0; // receives from any source that got their message
    std::uint64_t blocked_waits = 0;     // in which the first looks found nothing
    std::uint64_t blocked_ns = 0;        // and how long these took,
    std::uint64_t order_ns = 0;          // those included that asked for the clocks of others
};

} // namespace saguaro::mpi
