// SPDX-License-Identifier: MIT
// Scatter: the root sends each rank its part.
#include "detmpi/core/addresses.hpp"
#include "detmpi/core/collectives/collective.hpp"
#include "detmpi/core/functions.hpp"

namespace saguaro::detmpi::core {

namespace {

// place(rank): where the root has that rank's elements.
template <class Place>
int scatter_from(void *received, std::int64_t receive_count, datatype receive_type, int root,
                 comm on, datatype send_type, const char *call, Place place) {
    comm_object *c = nullptr;
    if (const int error = check(on, root, c))
        return error;
    const bool is_in_place = detmpi::is_in_place(received);
    typed_buffer own;
    if (!is_in_place)
        if (const int error = make_buffer(own, received, receive_count, receive_type))
            return error;
    if (c->rank != root) {
        if (is_in_place)
            return mpi::err_buffer;
        collective all(*c, call);
        all.receive(root, own);
        return all.error();
    }
    const type_pointer *const t = find_type(send_type);
    if (t == nullptr)
        return mpi::err_type;
    const auto part = [&](int r) { return place(r, **t); };
    if (const int error = check_parts(c->size(), part))
        return error;
    collective all(*c, call);
    for (int r = 0; r < all.size(); ++r)
        if (r != root)
            all.send(r, part(r));
        else if (!is_in_place)
            copy_elements(part(r), own);
    return all.error();
}

} // namespace

int scatter(const void *sent, std::int64_t send_count, datatype send_type, void *received,
            std::int64_t receive_count, datatype receive_type, int root, comm on) {
    return scatter_from(received, receive_count, receive_type, root, on, send_type, "MPI_Scatter",
                        [&](int r, const datatype_object &type) {
                            return elements(sent, r * send_count, send_count, type);
                        });
}

int scatterv(const void *sent, const std::int64_t *send_counts, const std::int64_t *places,
             datatype send_type, void *received, std::int64_t receive_count, datatype receive_type,
             int root, comm on) {
    return scatter_from(received, receive_count, receive_type, root, on, send_type, "MPI_Scatterv",
                        [&](int r, const datatype_object &type) {
                            return elements(sent, places[r], send_counts[r], type);
                        });
}

} // namespace saguaro::detmpi::core
