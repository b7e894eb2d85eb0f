// SPDX-License-Identifier: MIT
// The choice of a collective's algorithm: the one that SAGUARO_COLLECTIVE names, or else one that
// depends only on the number of members and of bytes.
#pragma once

#include "channels/collectives/algorithms.hpp"

#include <cstddef>

namespace saguaro::channels {

// Reads SAGUARO_COLLECTIVE, once. Ends the process with a line if it is not accepted.
void read_choice();

// `size` is of one member's values, or of what one member has for another.
barrier_algorithm *barrier_for(unsigned members);
broadcast_algorithm *broadcast_for(unsigned members, std::size_t size);
reduce_algorithm *reduce_for(unsigned members, std::size_t size);
allreduce_algorithm *allreduce_for(unsigned members, std::size_t size);
scan_algorithm *scan_for(unsigned members, std::size_t size);
gather_algorithm *gather_for(unsigned members, std::size_t size);
scatter_algorithm *scatter_for(unsigned members, std::size_t size);
alltoall_algorithm *alltoall_for(unsigned members, std::size_t size);

} // namespace saguaro::channels
