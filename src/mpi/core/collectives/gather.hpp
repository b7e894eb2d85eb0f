// SPDX-License-Identifier: MIT
// Gather and scatter: all send to the root, which takes their parts in the order of the ranks; and
// the same the other way round.
#pragma once

#include "mpi/core/collectives/parts.hpp"
#include "mpi/core/collectives/stage.hpp"
#include "mpi/core/interface/addresses.hpp"

namespace saguaro::mpi::collectives {

enum class direction { to_the_root, from_the_root };

// `own` is a rank's own buffer. part_of(rank, type): where the root has that rank's elements.
template <class Stage, class Part>
int move_parts(Stage &all, direction way, const void *own, std::int64_t own_count,
               datatype own_type, datatype part_type, int root, comm on, Part part_of) {
    role mine;
    if (const int error = all.open(on, root, mine))
        return error;
    const bool in_place = is_in_place(own);
    if (in_place && mine == role::other)
        return abi::err_buffer;
    const bool has_own = mine == role::root && !all.is_inter() && !in_place;
    typed_buffer buffer;
    if (mine == role::other || has_own)
        if (const int error = all.buffer(buffer, own, own_count, own_type))
            return error;
    const datatype_object *const type = mine == role::root ? all.type(part_type) : nullptr;
    const auto part = [&](int r) { return part_of(r, *type); };
    if (mine == role::root) {
        if (type == nullptr)
            return abi::err_type;
        if (const int error = check_parts(all.peers(), part))
            return error;
        if (has_own)
            if (const int error = check_distinct(buffer, part(all.me())))
                return error;
    }
    const bool gathers = way == direction::to_the_root;
    all.begin();
    if (mine == role::other && gathers)
        all.send(root, buffer);
    else if (mine == role::other)
        all.receive(root, buffer);
    for (int r = 0; mine == role::root && r < all.peers(); ++r) {
        const bool is_own = all.is_self(r);
        if (is_own && !has_own)
            continue;
        if (gathers)
            is_own ? all.copy(buffer, part(r)) : all.receive(r, part(r));
        else
            is_own ? all.copy(part(r), buffer) : all.send(r, part(r));
    }
    return all.end();
}

template <class Stage>
int gather(Stage &&all, const void *sent, std::int64_t send_count, datatype send_type,
           void *received, std::int64_t receive_count, datatype receive_type, int root, comm on) {
    return move_parts(all, direction::to_the_root, sent, send_count, send_type, receive_type, root,
                      on, equal_parts(received, receive_count));
}

template <class Stage>
int gatherv(Stage &&all, const void *sent, std::int64_t send_count, datatype send_type,
            void *received, const std::int64_t *receive_counts, const std::int64_t *places,
            datatype receive_type, int root, comm on) {
    return move_parts(all, direction::to_the_root, sent, send_count, send_type, receive_type, root,
                      on, parts_at(received, receive_counts, places));
}

template <class Stage>
int scatter(Stage &&all, const void *sent, std::int64_t send_count, datatype send_type,
            void *received, std::int64_t receive_count, datatype receive_type, int root, comm on) {
    return move_parts(all, direction::from_the_root, received, receive_count, receive_type,
                      send_type, root, on, equal_parts(sent, send_count));
}

template <class Stage>
int scatterv(Stage &&all, const void *sent, const std::int64_t *send_counts,
             const std::int64_t *places, datatype send_type, void *received,
             std::int64_t receive_count, datatype receive_type, int root, comm on) {
    return move_parts(all, direction::from_the_root, received, receive_count, receive_type,
                      send_type, root, on, parts_at(sent, send_counts, places));
}

} // namespace saguaro::mpi::collectives
