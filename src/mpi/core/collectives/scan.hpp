// SPDX-License-Identifier: MIT
// Scans: in one stage each rank sends its own to all on its right. If ranks or elements are many, a
// chain: each rank combines what comes from the left with its own and hands it on. Not if the
// operator needs the values themselves.
#pragma once

#include "mpi/core/collectives/stage.hpp"
#include "mpi/core/interface/addresses.hpp"

namespace saguaro::mpi::collectives {

enum class scan_kind { inclusive, exclusive };

inline int scan_in_a_chain(comm_object &on, const described_call &call, const reduction_of &what,
                           const void *input, void *received, scan_kind kind) {
    collective all(on, call);
    scratch own(what.count(), what.type());
    scratch left(what.count(), what.type());
    copy_elements(what.at(input), what.at(own.base()));
    if (all.me() > 0) {
        all.receive(all.me() - 1, what.at(left.base()));
        what.combine(left.base(), own.base());
    }
    if (all.me() + 1 < all.size())
        all.send(all.me() + 1, what.at(own.base()));
    // Of an exclusive scan the first rank's result is undefined: it stays as it is.
    if (kind == scan_kind::inclusive)
        copy_elements(what.at(own.base()), what.at(received));
    else if (all.me() > 0)
        copy_elements(what.at(left.base()), what.at(received));
    return all.error();
}

template <class Stage>
int scan_in_one_stage(Stage &all, const void *sent, void *received, std::int64_t count,
                      datatype type, op which, comm on, scan_kind kind) {
    reduction_of what;
    int error = all.open(on);
    if (error == 0 && all.is_inter())
        error = abi::err_comm;
    if (error == 0)
        error = all.operate(what, count, type, which);
    if (error == 0)
        error = what.check_buffers(sent, received);
    if (error != 0)
        return error;
    const void *const own = is_in_place(sent) ? received : sent;
    all.describe_reduction(count, type, which);
    all.begin();
    for (int r = all.me() + 1; r < all.peers(); ++r)
        all.send(r, what.at(own));
    const int ranks = kind == scan_kind::inclusive ? all.me() + 1 : all.me();
    if (ranks != 0)
        all.reduce(what, ranks, own, received);
    return all.end();
}

template <class Stage>
int scan_by(Stage &all, const void *sent, void *received, std::int64_t count, datatype type,
            op which, comm on, scan_kind kind) {
    return scan_in_one_stage(all, sent, received, count, type, which, on, kind);
}

inline int scan_by(blocking_stage &all, const void *sent, void *received, std::int64_t count,
                   datatype type, op which, comm on, scan_kind kind) {
    comm_object *c = nullptr;
    reduction_of what;
    if (check(on, c) != 0 || what.check(count, type, which) != 0 ||
        what.check_buffers(sent, received) != 0 || what.needs_all_values() ||
        are_few(c->size(), count * what.type().size()))
        return scan_in_one_stage(all, sent, received, count, type, which, on, kind);
    const void *const own = is_in_place(sent) ? received : sent;
    all.describe_reduction(count, type, which);
    return scan_in_a_chain(*c, all.described(), what, own, received, kind);
}

template <class Stage>
int scan(Stage &&all, const void *sent, void *received, std::int64_t count, datatype type, op which,
         comm on) {
    return scan_by(all, sent, received, count, type, which, on, scan_kind::inclusive);
}

template <class Stage>
int exscan(Stage &&all, const void *sent, void *received, std::int64_t count, datatype type,
           op which, comm on) {
    return scan_by(all, sent, received, count, type, which, on, scan_kind::exclusive);
}

} // namespace saguaro::mpi::collectives
