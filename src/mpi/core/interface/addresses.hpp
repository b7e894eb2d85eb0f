// SPDX-License-Identifier: MIT
// Addresses that are no addresses, as the core has them: the values of the MPI 5 standard ABI.
#pragma once

#include <cstdint>

namespace saguaro::mpi {

namespace addresses {

inline constexpr std::uintptr_t in_place = 1;
inline constexpr std::uintptr_t buffer_automatic = 2;
inline constexpr std::uintptr_t unweighted = 10;
inline constexpr std::uintptr_t weights_empty = 11;
inline constexpr std::uintptr_t all_pvars = 1; // MPI_T_PVAR_ALL_HANDLES

} // namespace addresses

inline bool is_in_place(const void *buffer) {
    return reinterpret_cast<std::uintptr_t>(buffer) == addresses::in_place;
}

inline bool is_buffer_automatic(const void *buffer) {
    return reinterpret_cast<std::uintptr_t>(buffer) == addresses::buffer_automatic;
}

inline bool is_unweighted(const int *weights) {
    return reinterpret_cast<std::uintptr_t>(weights) == addresses::unweighted;
}

inline bool is_weights_empty(const int *weights) {
    return reinterpret_cast<std::uintptr_t>(weights) == addresses::weights_empty;
}

} // namespace saguaro::mpi
