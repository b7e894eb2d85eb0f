// SPDX-License-Identifier: MIT
// Barrier: each rank sends a message to all others. Many ranks have one by dissemination: in round
// k everybody tells the rank 2^k behind it, and hears from the one 2^k before it.
#include "mpi/core/collectives/stage.hpp"
#include "mpi/core/interface/functions.hpp"

namespace saguaro::mpi::core {

namespace {

template <class Stage>
int barrier_by(Stage &&all, comm on) {
    if (const int error = all.open(on))
        return error;
    all.begin();
    const typed_buffer nothing;
    all.send_to_others(nothing);
    for (int r = 0; r < all.peers(); ++r)
        if (!all.is_self(r))
            all.receive(r, nothing);
    return all.end();
}

} // namespace

int barrier(comm on) {
    comm_object *c = nullptr;
    if (check(on, c) != 0 || c->size() <= few_ranks)
        return barrier_by(blocking_stage("MPI_Barrier"), on);
    collective all(*c, "MPI_Barrier");
    const int n = all.size();
    const typed_buffer nothing;
    for (int distance = 1; distance < n; distance *= 2)
        all.exchange((all.me() + distance) % n, nothing, (all.me() - distance + n) % n, nothing);
    return all.error();
}

int ibarrier(comm on, request *out) {
    return barrier_by(recorded_stage(out), on);
}

int barrier_init(comm on, info, request *out) {
    return barrier_by(started_by_the_program(out), on);
}

} // namespace saguaro::mpi::core
