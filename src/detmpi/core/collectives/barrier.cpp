// SPDX-License-Identifier: MIT
// Barrier by dissemination: in round k everybody tells the rank 2^k behind it, and hears from the
// one 2^k before it.
#include "detmpi/core/collectives/collective.hpp"
#include "detmpi/core/functions.hpp"

namespace saguaro::detmpi::core {

namespace {

// All of one group tell all of the other.
void between_groups(collective &all) {
    const typed_buffer nothing;
    for (int r = 0; r < all.size(); ++r)
        all.send(r, nothing);
    for (int r = 0; r < all.size(); ++r)
        all.receive(r, nothing);
}

} // namespace

int barrier(comm on) {
    comm_object *const c = find(on);
    if (c == nullptr)
        return mpi::err_comm;
    collective all(*c, "MPI_Barrier");
    if (c->is_inter()) {
        between_groups(all);
        return all.error();
    }
    const int n = all.size();
    const typed_buffer nothing;
    for (int distance = 1; distance < n; distance *= 2)
        all.exchange((all.me() + distance) % n, nothing, (all.me() - distance + n) % n, nothing);
    return all.error();
}

} // namespace saguaro::detmpi::core
