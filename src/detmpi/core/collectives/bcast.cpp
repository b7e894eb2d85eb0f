// SPDX-License-Identifier: MIT
// Broadcast: the root writes the data once, and all others read them there. A tree would make a
// rank wait for one whose data it does not need, against the rule; and within one machine it would
// copy more.
#include "detmpi/core/collectives/collective.hpp"
#include "detmpi/core/functions.hpp"

namespace saguaro::detmpi::core {

int bcast(void *buffer, std::int64_t count, datatype type, int root, comm on) {
    comm_object *c = nullptr;
    int error = check(on, root, c);
    typed_buffer data;
    if (error == 0)
        error = make_buffer(data, buffer, count, type);
    if (error != 0)
        return error;
    collective all(*c, "MPI_Bcast");
    if (all.me() == root)
        all.send_to_all(data);
    else
        all.receive(root, data);
    return all.error();
}

} // namespace saguaro::detmpi::core
