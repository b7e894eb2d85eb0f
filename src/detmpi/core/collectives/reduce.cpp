// SPDX-License-Identifier: MIT
// Reduce: all send to the root, which combines them. Allreduce: the first rank does that, and
// broadcasts; or if ranks and elements are few, all send to all, and each combines them, which
// saves a way back. Either gives the same bits.
#include "detmpi/core/addresses.hpp"
#include "detmpi/core/collectives/reduction.hpp"
#include "detmpi/core/functions.hpp"

#include <utility>

namespace saguaro::detmpi {

int reduction_of::check(std::int64_t count, datatype type, op which) {
    if (count < 0)
        return mpi::err_count;
    if (const int error = check_operator(which, type))
        return error;
    count_ = count;
    number_ = type;
    which_ = which;
    type_ = find_type(type)->get();
    return mpi::success;
}

void reduction_of::combine_all(collective &all, const void *own, void *result) const {
    scratch first(count_, *type_);
    scratch second(count_, *type_);
    char *left = first.base();
    char *right = second.base();
    for (int r = 0; r < all.size(); ++r) {
        if (r == all.me())
            copy_elements(at(own), at(right));
        else
            all.receive(r, at(right));
        if (r != 0)
            combine(left, right);
        std::swap(left, right);
    }
    copy_elements(at(left), at(result));
}

namespace {

constexpr int few_ranks = 4;
constexpr std::int64_t few_bytes = 2048;

} // namespace

namespace core {

int reduce(const void *sent, void *received, std::int64_t count, datatype type, op which, int root,
           comm on) {
    comm_object *c = nullptr;
    reduction_of what;
    int error = check(on, root, c);
    if (error == 0)
        error = what.check(count, type, which);
    if (error != 0)
        return error;
    const void *const own = is_in_place(sent) ? received : sent;
    if (c->rank != root && is_in_place(sent))
        return mpi::err_buffer;
    collective all(*c, "MPI_Reduce");
    if (all.me() == root)
        what.combine_all(all, own, received);
    else
        all.send(root, what.at(own));
    return all.error();
}

int allreduce(const void *sent, void *received, std::int64_t count, datatype type, op which,
              comm on) {
    comm_object *c = nullptr;
    reduction_of what;
    int error = check(on, 0, c);
    if (error == 0)
        error = what.check(count, type, which);
    if (error != 0)
        return error;
    const void *const own = is_in_place(sent) ? received : sent;
    collective all(*c, "MPI_Allreduce");
    if (all.size() <= few_ranks && count * what.type().size() <= few_bytes) {
        all.send_to_all(what.at(own));
        what.combine_all(all, own, received);
    } else if (all.me() == 0) {
        what.combine_all(all, own, received);
        all.send_to_all(what.at(received));
    } else {
        all.send(0, what.at(own));
        all.receive(0, what.at(received));
    }
    return all.error();
}

} // namespace core

} // namespace saguaro::detmpi
