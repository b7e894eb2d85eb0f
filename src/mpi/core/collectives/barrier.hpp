// SPDX-License-Identifier: MIT
// Barrier: each rank tells all others. Many ranks have one by dissemination: in round k each rank
// tells the one 2^k after it, and hears from the one 2^k before it.
#pragma once

#include "collectives/schedules.hpp"
#include "mpi/core/collectives/stage.hpp"

#include <utility>

namespace saguaro::mpi::collectives {

template <class Stage>
int barrier(Stage &&all, comm on) {
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

inline int barrier(blocking_stage &&all, comm on) {
    comm_object *c = nullptr;
    if (check(on, c) != 0 || c->size() <= few_ranks)
        return barrier<blocking_stage>(std::move(all), on);
    collective stages(*c, all.described());
    const typed_buffer nothing;
    saguaro::collectives::dissemination(stages.me(), stages.size(), [&](int, int to, int from) {
        stages.exchange(to, nothing, from, nothing);
    });
    return stages.error();
}

} // namespace saguaro::mpi::collectives
