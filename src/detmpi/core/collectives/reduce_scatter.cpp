// SPDX-License-Identifier: MIT
// Reduce and scatter: the part of a rank is sent to it by all others, and it combines them.
#include "detmpi/core/addresses.hpp"
#include "detmpi/core/collectives/reduction.hpp"
#include "detmpi/core/functions.hpp"

namespace saguaro::detmpi::core {

namespace {

// count(rank): how many elements are that rank's.
template <class Count>
int scatter_reduced(const void *sent, void *received, datatype type, op which, comm on,
                    const char *call, Count count) {
    comm_object *c = nullptr;
    if (const int error = check(on, 0, c))
        return error;
    reduction_of what;
    int error = what.check(count(c->rank), type, which);
    for (int r = 0; error == 0 && r < c->size(); ++r)
        if (count(r) < 0)
            error = mpi::err_count;
    if (error != 0)
        return error;
    collective all(*c, call);
    const char *const input = static_cast<const char *>(is_in_place(sent) ? received : sent);
    const char *own = input;
    const char *at = input;
    for (int r = 0; r < all.size(); ++r) {
        if (r == all.me())
            own = at;
        else
            all.send(r, elements(at, 0, count(r), what.type()));
        at += count(r) * what.type().extent();
    }
    what.combine_all(all, own, received);
    return all.error();
}

} // namespace

int reduce_scatter(const void *sent, void *received, const std::int64_t *counts, datatype type,
                   op which, comm on) {
    return scatter_reduced(sent, received, type, which, on, "MPI_Reduce_scatter",
                           [&](int r) { return counts[r]; });
}

int reduce_scatter_block(const void *sent, void *received, std::int64_t count, datatype type,
                         op which, comm on) {
    return scatter_reduced(sent, received, type, which, on, "MPI_Reduce_scatter_block",
                           [&](int) { return count; });
}

} // namespace saguaro::detmpi::core
