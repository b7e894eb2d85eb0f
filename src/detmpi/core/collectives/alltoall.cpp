// SPDX-License-Identifier: MIT
// All to all, pairwise: in step k a rank sends to the one k behind it and receives from the one k
// before it.
#include "detmpi/core/addresses.hpp"
#include "detmpi/core/collectives/collective.hpp"
#include "detmpi/core/functions.hpp"

namespace saguaro::detmpi::core {

namespace {

// from(rank), to(rank): the elements for that rank, and where that rank's go. In place: they are
// taken from where the others' go to.
template <class From, class To>
int exchange_with_all(comm_object &on, bool is_in_place, const char *call, From from, To to) {
    int error = check_parts(on.size(), to);
    if (error == 0 && !is_in_place)
        error = check_parts(on.size(), from);
    if (error != 0)
        return error;
    collective all(on, call);
    const int n = all.size();
    // A send has left its buffer when it returns: in place, all are sent before any is received.
    if (is_in_place)
        for (int k = 1; k < n; ++k)
            all.send((all.me() + k) % n, to((all.me() + k) % n));
    else
        copy_elements(from(all.me()), to(all.me()));
    for (int k = 1; k < n; ++k) {
        if (!is_in_place)
            all.send((all.me() + k) % n, from((all.me() + k) % n));
        all.receive((all.me() - k + n) % n, to((all.me() - k + n) % n));
    }
    return all.error();
}

} // namespace

int alltoall(const void *sent, std::int64_t send_count, datatype send_type, void *received,
             std::int64_t receive_count, datatype receive_type, comm on) {
    comm_object *c = nullptr;
    if (const int error = check(on, 0, c))
        return error;
    const bool in_place = is_in_place(sent);
    const datatype_object *const s = object_of(in_place ? receive_type : send_type);
    const datatype_object *const r = object_of(receive_type);
    if (s == nullptr || r == nullptr)
        return mpi::err_type;
    return exchange_with_all(
        *c, in_place, "MPI_Alltoall",
        [&](int which) { return elements(sent, which * send_count, send_count, *s); },
        [&](int which) { return elements(received, which * receive_count, receive_count, *r); });
}

int alltoallv(const void *sent, const std::int64_t *send_counts, const std::int64_t *send_places,
              datatype send_type, void *received, const std::int64_t *receive_counts,
              const std::int64_t *receive_places, datatype receive_type, comm on) {
    comm_object *c = nullptr;
    if (const int error = check(on, 0, c))
        return error;
    const bool in_place = is_in_place(sent);
    const datatype_object *const s = object_of(in_place ? receive_type : send_type);
    const datatype_object *const r = object_of(receive_type);
    if (s == nullptr || r == nullptr)
        return mpi::err_type;
    return exchange_with_all(
        *c, in_place, "MPI_Alltoallv",
        [&](int which) { return elements(sent, send_places[which], send_counts[which], *s); },
        [&](int which) {
            return elements(received, receive_places[which], receive_counts[which], *r);
        });
}

int alltoallw(const void *sent, const std::int64_t *send_counts, const std::int64_t *send_places,
              const datatype *send_types, void *received, const std::int64_t *receive_counts,
              const std::int64_t *receive_places, const datatype *receive_types, comm on) {
    comm_object *c = nullptr;
    if (const int error = check(on, 0, c))
        return error;
    const bool in_place = is_in_place(sent);
    for (int r = 0; r < c->size(); ++r)
        if (object_of(receive_types[r]) == nullptr ||
            (!in_place && object_of(send_types[r]) == nullptr))
            return mpi::err_type;
    const auto part = [](const void *base, std::int64_t place, std::int64_t count, datatype type) {
        return elements(static_cast<const char *>(base) + place, 0, count, *object_of(type));
    };
    return exchange_with_all(
        *c, in_place, "MPI_Alltoallw",
        [&](int which) {
            return part(sent, send_places[which], send_counts[which], send_types[which]);
        },
        [&](int which) {
            return part(received, receive_places[which], receive_counts[which],
                        receive_types[which]);
        });
}

} // namespace saguaro::detmpi::core
