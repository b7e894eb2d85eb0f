// SPDX-License-Identifier: MIT
// Broadcast: the root writes the data once, and all others read them there. A tree would make a
// rank wait for one whose data it does not need, against the rule; and within one machine it would
// copy more.
#pragma once

#include "mpi/core/collectives/stage.hpp"

namespace saguaro::mpi::collectives {

template <class Stage>
int bcast(Stage &&all, void *buffer, std::int64_t count, datatype type, int root, comm on) {
    role mine;
    typed_buffer data;
    int error = all.open(on, root, mine);
    if (error == 0 && mine != role::outsider)
        error = all.buffer(data, buffer, count, type);
    if (error != 0)
        return error;
    if (mine != role::outsider)
        all.describe(count, type);
    all.begin();
    if (mine == role::root)
        all.send_to_others(data);
    else if (mine == role::other)
        all.receive(root, data);
    return all.end();
}

} // namespace saguaro::mpi::collectives
