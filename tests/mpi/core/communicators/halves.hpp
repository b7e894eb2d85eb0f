// SPDX-License-Identifier: MIT
// The ranks of a world as two groups, and an intercommunicator between these.
#pragma once

#include "mpi/core/communicators/making.hpp"
#include "mpi/core/ranks.hpp"

namespace saguaro::mpi {

struct halves {
    comm mine;    // of this rank's group
    comm between; // the two
    bool is_low;
};

// The first `low` ranks and the others; each led by its last rank.
inline halves make_halves(int low) {
    int me = 0;
    int all = 0;
    core::comm_rank(comm::world, &me);
    core::comm_size(comm::world, &all);
    halves made{};
    made.is_low = me < low;
    core::comm_split(comm::world, made.is_low ? 0 : 1, 0, &made.mine);
    const int leader = made.is_low ? low - 1 : all - low - 1;
    core::intercomm_create(made.mine, leader, comm::world, made.is_low ? all - 1 : low - 1, 7,
                           &made.between);
    return made;
}

} // namespace saguaro::mpi
