// SPDX-License-Identifier: MIT
// Barrier by dissemination: in round k everybody tells the rank 2^k behind it, and hears from the
// one 2^k before it.
#include "detmpi/core/collectives/collective.hpp"
#include "detmpi/core/functions.hpp"

namespace saguaro::detmpi::core {

int barrier(comm on) {
    comm_object *c = nullptr;
    if (const int error = check(on, 0, c))
        return error;
    collective all(*c, "MPI_Barrier");
    const int n = all.size();
    const typed_buffer nothing;
    for (int distance = 1; distance < n; distance *= 2)
        all.exchange((all.me() + distance) % n, nothing, (all.me() - distance + n) % n, nothing);
    return all.error();
}

} // namespace saguaro::detmpi::core
