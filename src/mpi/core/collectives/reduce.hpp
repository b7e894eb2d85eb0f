// SPDX-License-Identifier: MIT
// Reduce: all send to the root, which combines them. Allreduce: the first rank does that, and
// broadcasts; or if ranks and elements are few, and in one stage, all send to all, and each
// combines them, which saves a way back. Either gives the same bits.
#pragma once

#include "mpi/core/collectives/stage.hpp"
#include "mpi/core/interface/addresses.hpp"

#include <utility>

namespace saguaro::mpi::collectives {

template <class Stage>
int reduce(Stage &&all, const void *sent, void *received, std::int64_t count, datatype type,
           op which, int root, comm on) {
    role mine;
    reduction_of what;
    int error = all.open(on, root, mine);
    if (error == 0 && mine != role::outsider)
        error = all.operate(what, count, type, which);
    if (error == 0 && mine == role::other)
        error = what.check_one(sent);
    if (error == 0 && mine == role::root)
        error = all.is_inter() ? what.check_one(received) : what.check_buffers(sent, received);
    if (error != 0)
        return error;
    if (mine != role::outsider)
        all.describe_reduction(count, type, which);
    all.begin();
    if (mine == role::root)
        all.reduce(what, all.peers(), is_in_place(sent) ? received : sent, received);
    else if (mine == role::other)
        all.send(root, what.at(sent));
    return all.end();
}

template <class Stage>
int allreduce(Stage &&all, const void *sent, void *received, std::int64_t count, datatype type,
              op which, comm on) {
    reduction_of what;
    int error = all.open(on);
    if (error == 0)
        error = all.operate(what, count, type, which);
    if (error == 0 && all.is_inter())
        error = what.check_one(sent);
    if (error == 0)
        error = what.check_buffers(sent, received);
    if (error != 0)
        return error;
    const void *const own = is_in_place(sent) ? received : sent;
    all.describe_reduction(count, type, which);
    all.begin();
    all.send_to_others(what.at(own));
    all.reduce(what, all.peers(), own, received);
    return all.end();
}

inline int allreduce_by_way_of_the_first(comm_object &on, const described_call &call,
                                         const reduction_of &what, const void *own,
                                         void *received) {
    collective all(on, call);
    if (all.me() == 0) {
        what.combine(all, all.size(), own,
                     [&](void *combined) { copy_elements(what.at(combined), what.at(received)); });
        all.send_to_all(what.at(received));
    } else {
        all.send(0, what.at(own));
        all.receive(0, what.at(received));
    }
    return all.error();
}

inline int allreduce(blocking_stage &&all, const void *sent, void *received, std::int64_t count,
                     datatype type, op which, comm on) {
    comm_object *c = nullptr;
    reduction_of what;
    if (check(on, c) != 0 || what.check(count, type, which) != 0 ||
        what.check_buffers(sent, received) != 0 || are_few(c->size(), count * what.type().size()))
        return allreduce<blocking_stage>(std::move(all), sent, received, count, type, which, on);
    all.describe_reduction(count, type, which);
    return allreduce_by_way_of_the_first(*c, all.described(), what,
                                         is_in_place(sent) ? received : sent, received);
}

} // namespace saguaro::mpi::collectives
