// SPDX-License-Identifier: MIT
// Reduce and scatter: the part of a rank is sent to it by all others, and it combines them. On an
// intercommunicator a rank does not know the parts of the other group: it sends that all of its
// elements.
#pragma once

#include "mpi/core/collectives/stage.hpp"
#include "mpi/core/interface/addresses.hpp"

namespace saguaro::mpi::collectives {

// count(rank): how many elements are that rank's, of this rank's group.
template <class Stage, class Count>
int scatter_reduced(Stage &all, const void *sent, void *received, datatype type, op which, comm on,
                    Count count) {
    int error = all.open(on);
    if (error != 0)
        return error;
    const int ranks = all.on().size();
    std::int64_t total = 0;
    elements_kept own{0, 0};
    for (int r = 0; r < ranks; ++r) {
        if (count(r) < 0)
            return abi::err_count;
        if (r == all.me())
            own = {total, count(r)};
        total += count(r);
    }
    reduction_of what;
    error = all.operate(what, all.is_inter() ? total : own.count, type, which);
    if (error == 0 && all.is_inter())
        error = what.check_one(sent);
    if (error == 0)
        error = what.check_buffers(sent, received);
    if (error != 0)
        return error;
    const void *const input = is_in_place(sent) ? received : sent;
    all.describe_reduction(described_call::no_count, type, which);
    all.begin();
    if (all.is_inter()) {
        all.send_to_others(what.at(input));
        all.reduce(what, all.peers(), nullptr, received, own);
        return all.end();
    }
    std::int64_t first = 0;
    for (int r = 0; r < ranks; first += count(r), ++r)
        if (r != all.me())
            all.send(r, elements(input, first, count(r), what.type()));
    all.reduce(what, ranks, elements(input, own.first, 0, what.type()).base, received);
    return all.end();
}

template <class Stage>
int reduce_scatter(Stage &&all, const void *sent, void *received, const std::int64_t *counts,
                   datatype type, op which, comm on) {
    return scatter_reduced(all, sent, received, type, which, on, [&](int r) { return counts[r]; });
}

template <class Stage>
int reduce_scatter_block(Stage &&all, const void *sent, void *received, std::int64_t count,
                         datatype type, op which, comm on) {
    return scatter_reduced(all, sent, received, type, which, on, [&](int) { return count; });
}

} // namespace saguaro::mpi::collectives
