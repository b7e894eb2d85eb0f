// SPDX-License-Identifier: MIT
// Scans: a chain, in which each rank combines what comes from the left with its own and hands it
// on.
#include "detmpi/core/addresses.hpp"
#include "detmpi/core/collectives/reduction.hpp"
#include "detmpi/core/functions.hpp"

namespace saguaro::detmpi::core {

namespace {

int scan_in_a_chain(const void *sent, void *received, std::int64_t count, datatype type, op which,
                    comm on, bool includes_own, const char *call) {
    comm_object *c = nullptr;
    reduction_of what;
    int error = check(on, 0, c);
    if (error == 0)
        error = what.check(count, type, which);
    if (error != 0)
        return error;
    collective all(*c, call);
    scratch own(count, what.type());
    scratch left(count, what.type());
    copy_elements(what.at(is_in_place(sent) ? received : sent), what.at(own.base()));
    if (all.me() > 0) {
        all.receive(all.me() - 1, what.at(left.base()));
        what.combine(left.base(), own.base());
    }
    if (all.me() + 1 < all.size())
        all.send(all.me() + 1, what.at(own.base()));
    // Of an exclusive scan the first rank's result is undefined: it stays as it is.
    if (includes_own)
        copy_elements(what.at(own.base()), what.at(received));
    else if (all.me() > 0)
        copy_elements(what.at(left.base()), what.at(received));
    return all.error();
}

} // namespace

int scan(const void *sent, void *received, std::int64_t count, datatype type, op which, comm on) {
    return scan_in_a_chain(sent, received, count, type, which, on, true, "MPI_Scan");
}

int exscan(const void *sent, void *received, std::int64_t count, datatype type, op which, comm on) {
    return scan_in_a_chain(sent, received, count, type, which, on, false, "MPI_Exscan");
}

} // namespace saguaro::detmpi::core
