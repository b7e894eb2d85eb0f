// SPDX-License-Identifier: MIT
// The variables of the environment that ranks and their launcher read.
#pragma once

#include "platform/settings.hpp"

namespace saguaro::mpi::variables {

// A rank's file is FILE.RANK.
inline constexpr platform::setting order{
    .name = "SAGUARO_MPI_ORDER",
    .fallback = "clock",
    .accepted = "clock, work, arrival, record:FILE, replay:FILE",
    .meaning = "which message a receive from any source takes: detmpiexec -order",
    .needs_own_rights = true,
    .user = platform::setting_user::launcher};
inline constexpr platform::setting reduce{
    .name = "SAGUARO_MPI_REDUCE",
    .fallback = "ordered",
    .kind = platform::setting_kind::choice,
    .accepted = "ordered, invariant",
    .meaning = "how collectives combine floating numbers: detmpiexec -reduce",
    .user = platform::setting_user::launcher};
inline constexpr platform::setting stats{
    .name = "SAGUARO_MPI_STATS",
    .fallback = "unset",
    .accepted = "any text",
    .meaning = "each rank says how long it has waited for an order alone: detmpiexec -stats",
    .user = platform::setting_user::launcher};
inline constexpr platform::setting patience{
    .name = "SAGUARO_MPI_PATIENCE",
    .fallback = "unset",
    .accepted = "a number of seconds",
    .meaning = "a rank that waits so long for an order alone names the ranks that hold it up: "
               "detmpiexec -patience",
    .user = platform::setting_user::launcher};
inline constexpr platform::setting check{
    .name = "SAGUARO_MPI_CHECK",
    .fallback = "unset",
    .accepted = "any text",
    .meaning = "each rank says what it has not freed and not received: detmpiexec -check",
    .user = platform::setting_user::launcher};
// Without it, or with 0, the attribute has no value, as with MPICH.
inline constexpr platform::setting universe{
    .name = "SAGUARO_MPI_UNIVERSE",
    .fallback = "unset",
    .accepted = "a number of ranks",
    .meaning = "the attribute MPI_UNIVERSE_SIZE: detmpiexec -usize",
    .user = platform::setting_user::launcher};
// "PLACE,RANK,DESCRIPTOR": where the world lies in the job's memory, and what leads to the
// launcher.
inline constexpr platform::setting rank{.name = "SAGUARO_MPI_RANK",
                                        .meaning = "the rank that a program is",
                                        .needs_own_rights = true,
                                        .user = platform::setting_user::internal};

// The launcher's file for other MPI libraries that a rank's processes have loaded.
inline constexpr platform::setting notes{.name = "SAGUARO_MPI_NOTES",
                                         .meaning = "where a rank notes another MPI library",
                                         .needs_own_rights = true,
                                         .user = platform::setting_user::internal};

// By these an installed mpiexec tells detmpiexec which of its processes it is, and over which
// descriptors they talk.
inline constexpr platform::setting open_mpi_rank{.name = "OMPI_COMM_WORLD_RANK",
                                                 .meaning = "Open MPI's number of the process",
                                                 .needs_own_rights = true,
                                                 .user = platform::setting_user::internal};
inline constexpr platform::setting open_mpi_size{.name = "OMPI_COMM_WORLD_SIZE",
                                                 .meaning = "Open MPI's number of processes",
                                                 .needs_own_rights = true,
                                                 .user = platform::setting_user::internal};
inline constexpr platform::setting mpich_rank{.name = "PMI_RANK",
                                              .meaning = "MPICH's number of the process",
                                              .needs_own_rights = true,
                                              .user = platform::setting_user::internal};
inline constexpr platform::setting mpich_size{.name = "PMI_SIZE",
                                              .meaning = "MPICH's number of processes",
                                              .needs_own_rights = true,
                                              .user = platform::setting_user::internal};
inline constexpr platform::setting mpich_descriptor{.name = "PMI_FD",
                                                    .meaning = "MPICH's descriptor of the launcher",
                                                    .needs_own_rights = true,
                                                    .user = platform::setting_user::internal};
inline constexpr platform::setting mpich_control{.name = "HYDI_CONTROL_FD",
                                                 .meaning =
                                                     "MPICH's descriptor of its own launcher",
                                                 .needs_own_rights = true,
                                                 .user = platform::setting_user::internal};

inline constexpr const platform::setting *all[] = {&order,
                                                   &reduce,
                                                   &stats,
                                                   &patience,
                                                   &check,
                                                   &universe,
                                                   &rank,
                                                   &notes,
                                                   &open_mpi_rank,
                                                   &open_mpi_size,
                                                   &mpich_rank,
                                                   &mpich_size,
                                                   &mpich_descriptor,
                                                   &mpich_control};

} // namespace saguaro::mpi::variables
