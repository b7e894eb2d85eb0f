// SPDX-License-Identifier: MIT
// Reduce: all send to the root, which combines them. Allreduce: the first rank does that, and
// broadcasts; or if ranks and elements are few, and in one stage, all send to all, and each
// combines them, which saves a way back. Either gives the same bits.
#include "mpi/core/collectives/stage.hpp"
#include "mpi/core/interface/addresses.hpp"
#include "mpi/core/interface/functions.hpp"

namespace saguaro::mpi::core {

namespace {

template <class Stage>
int reduce_by(Stage &&all, const void *sent, void *received, std::int64_t count, datatype type,
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
    all.begin();
    if (mine == role::root)
        all.reduce(what, all.peers(), is_in_place(sent) ? received : sent, received);
    else if (mine == role::other)
        all.send(root, what.at(sent));
    return all.end();
}

template <class Stage>
int allreduce_by(Stage &&all, const void *sent, void *received, std::int64_t count, datatype type,
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
    all.begin();
    all.send_to_others(what.at(own));
    all.reduce(what, all.peers(), own, received);
    return all.end();
}

int allreduce_by_way_of_the_first(comm_object &on, const reduction_of &what, const void *own,
                                  void *received) {
    collective all(on, "MPI_Allreduce");
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

} // namespace

int reduce(const void *sent, void *received, std::int64_t count, datatype type, op which, int root,
           comm on) {
    return reduce_by(blocking_stage("MPI_Reduce"), sent, received, count, type, which, root, on);
}

int ireduce(const void *sent, void *received, std::int64_t count, datatype type, op which, int root,
            comm on, request *out) {
    return reduce_by(recorded_stage(out), sent, received, count, type, which, root, on);
}

int reduce_init(const void *sent, void *received, std::int64_t count, datatype type, op which,
                int root, comm on, info, request *out) {
    return reduce_by(started_by_the_program(out), sent, received, count, type, which, root, on);
}

int allreduce(const void *sent, void *received, std::int64_t count, datatype type, op which,
              comm on) {
    comm_object *c = nullptr;
    reduction_of what;
    if (check(on, c) != 0 || what.check(count, type, which) != 0 ||
        what.check_buffers(sent, received) != 0 || are_few(c->size(), count * what.type().size()))
        return allreduce_by(blocking_stage("MPI_Allreduce"), sent, received, count, type, which,
                            on);
    return allreduce_by_way_of_the_first(*c, what, is_in_place(sent) ? received : sent, received);
}

int iallreduce(const void *sent, void *received, std::int64_t count, datatype type, op which,
               comm on, request *out) {
    return allreduce_by(recorded_stage(out), sent, received, count, type, which, on);
}

int allreduce_init(const void *sent, void *received, std::int64_t count, datatype type, op which,
                   comm on, info, request *out) {
    return allreduce_by(started_by_the_program(out), sent, received, count, type, which, on);
}

} // namespace saguaro::mpi::core
