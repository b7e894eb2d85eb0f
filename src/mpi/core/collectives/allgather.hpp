// SPDX-License-Identifier: MIT
// Allgather: each rank writes its part once, and all others read it there.
#pragma once

#include "mpi/core/collectives/parts.hpp"
#include "mpi/core/collectives/stage.hpp"
#include "mpi/core/interface/addresses.hpp"

namespace saguaro::mpi::collectives {

// place(rank, type): where that rank's elements go.
template <class Stage, class Place>
int gather_for_all(Stage &all, const void *sent, std::int64_t send_count, datatype send_type,
                   datatype receive_type, comm on, Place place) {
    if (const int error = all.open(on))
        return error;
    const datatype_object *const type = all.type(receive_type);
    if (type == nullptr)
        return abi::err_type;
    const auto part = [&](int r) { return place(r, *type); };
    if (const int error = check_parts(all.peers(), part))
        return error;
    const bool is_in_place = mpi::is_in_place(sent);
    if (is_in_place && all.is_inter())
        return abi::err_buffer;
    typed_buffer own;
    if (is_in_place)
        own = part(all.me());
    else if (const int error = all.buffer(own, sent, send_count, send_type))
        return error;
    else if (!all.is_inter())
        if (const int same = check_distinct(own, part(all.me())))
            return same;
    all.begin();
    all.send_to_others(own);
    for (int distance = 0; distance < all.peers(); ++distance) {
        const int from = (all.me() + distance) % all.peers();
        if (!all.is_self(from))
            all.receive(from, part(from));
        else if (!is_in_place)
            all.copy(own, part(from));
    }
    return all.end();
}

template <class Stage>
int allgather(Stage &&all, const void *sent, std::int64_t send_count, datatype send_type,
              void *received, std::int64_t receive_count, datatype receive_type, comm on) {
    return gather_for_all(all, sent, send_count, send_type, receive_type, on,
                          equal_parts(received, receive_count));
}

template <class Stage>
int allgatherv(Stage &&all, const void *sent, std::int64_t send_count, datatype send_type,
               void *received, const std::int64_t *receive_counts, const std::int64_t *places,
               datatype receive_type, comm on) {
    return gather_for_all(all, sent, send_count, send_type, receive_type, on,
                          parts_at(received, receive_counts, places));
}

} // namespace saguaro::mpi::collectives
