// SPDX-License-Identifier: MIT
// Gather: all send to the root, which takes them in the order of the ranks.
#include "detmpi/core/addresses.hpp"
#include "detmpi/core/collectives/collective.hpp"
#include "detmpi/core/functions.hpp"

namespace saguaro::detmpi::core {

namespace {

// place(rank): where the root wants that rank's elements.
template <class Place>
int gather_to(const void *sent, std::int64_t send_count, datatype send_type, int root, comm on,
              datatype receive_type, const char *call, Place place) {
    comm_object *c = nullptr;
    if (const int error = check(on, root, c))
        return error;
    const bool is_in_place = detmpi::is_in_place(sent);
    typed_buffer own;
    if (!is_in_place)
        if (const int error = make_buffer(own, sent, send_count, send_type))
            return error;
    if (c->rank != root) {
        if (is_in_place)
            return mpi::err_buffer;
        collective all(*c, call);
        all.send(root, own);
        return all.error();
    }
    const type_pointer *const t = find_type(receive_type);
    if (t == nullptr)
        return mpi::err_type;
    const auto part = [&](int r) { return place(r, **t); };
    if (const int error = check_parts(c->size(), part))
        return error;
    collective all(*c, call);
    for (int r = 0; r < all.size(); ++r)
        if (r != root)
            all.receive(r, part(r));
        else if (!is_in_place)
            copy_elements(own, part(r));
    return all.error();
}

} // namespace

int gather(const void *sent, std::int64_t send_count, datatype send_type, void *received,
           std::int64_t receive_count, datatype receive_type, int root, comm on) {
    return gather_to(sent, send_count, send_type, root, on, receive_type, "MPI_Gather",
                     [&](int r, const datatype_object &type) {
                         return elements(received, r * receive_count, receive_count, type);
                     });
}

int gatherv(const void *sent, std::int64_t send_count, datatype send_type, void *received,
            const std::int64_t *receive_counts, const std::int64_t *places, datatype receive_type,
            int root, comm on) {
    return gather_to(sent, send_count, send_type, root, on, receive_type, "MPI_Gatherv",
                     [&](int r, const datatype_object &type) {
                         return elements(received, places[r], receive_counts[r], type);
                     });
}

} // namespace saguaro::detmpi::core
