// SPDX-License-Identifier: MIT
// Allgather: each rank writes its part once, and all others read it there.
#include "detmpi/core/addresses.hpp"
#include "detmpi/core/collectives/collective.hpp"
#include "detmpi/core/functions.hpp"

namespace saguaro::detmpi::core {

namespace {

// place(rank): where that rank's elements go.
template <class Place>
int gather_for_all(const void *sent, std::int64_t send_count, datatype send_type,
                   datatype receive_type, comm on, const char *call, Place place) {
    comm_object *c = nullptr;
    if (const int error = check(on, 0, c))
        return error;
    const type_pointer *const t = find_type(receive_type);
    if (t == nullptr)
        return mpi::err_type;
    const auto part = [&](int r) { return place(r, **t); };
    if (const int error = check_parts(c->size(), part))
        return error;
    typed_buffer own = part(c->rank);
    if (!is_in_place(sent)) {
        const typed_buffer to = own;
        if (const int error = make_buffer(own, sent, send_count, send_type))
            return error;
        copy_elements(own, to);
    }
    collective all(*c, call);
    all.send_to_all(own);
    for (int distance = 1; distance < all.size(); ++distance) {
        const int from = (all.me() + distance) % all.size();
        all.receive(from, part(from));
    }
    return all.error();
}

} // namespace

int allgather(const void *sent, std::int64_t send_count, datatype send_type, void *received,
              std::int64_t receive_count, datatype receive_type, comm on) {
    return gather_for_all(sent, send_count, send_type, receive_type, on, "MPI_Allgather",
                          [&](int r, const datatype_object &type) {
                              return elements(received, r * receive_count, receive_count, type);
                          });
}

int allgatherv(const void *sent, std::int64_t send_count, datatype send_type, void *received,
               const std::int64_t *receive_counts, const std::int64_t *places,
               datatype receive_type, comm on) {
    return gather_for_all(sent, send_count, send_type, receive_type, on, "MPI_Allgatherv",
                          [&](int r, const datatype_object &type) {
                              return elements(received, places[r], receive_counts[r], type);
                          });
}

} // namespace saguaro::detmpi::core
