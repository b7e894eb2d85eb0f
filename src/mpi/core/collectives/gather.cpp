// SPDX-License-Identifier: MIT
// Gather: all send to the root, which takes them in the order of the ranks.
#include "mpi/core/collectives/stage.hpp"
#include "mpi/core/interface/addresses.hpp"
#include "mpi/core/interface/functions.hpp"

namespace saguaro::mpi::core {

namespace {

// place(rank, type): where the root wants that rank's elements.
template <class Stage, class Place>
int gather_to(Stage &all, const void *sent, std::int64_t send_count, datatype send_type,
              datatype receive_type, int root, comm on, Place place) {
    role mine;
    if (const int error = all.open(on, root, mine))
        return error;
    const bool is_in_place = mpi::is_in_place(sent);
    if (is_in_place && mine == role::other)
        return abi::err_buffer;
    const bool has_own = mine == role::root && !all.is_inter() && !is_in_place;
    typed_buffer own;
    if (mine == role::other || has_own)
        if (const int error = all.buffer(own, sent, send_count, send_type))
            return error;
    const datatype_object *const type = mine == role::root ? all.type(receive_type) : nullptr;
    const auto part = [&](int r) { return place(r, *type); };
    if (mine == role::root) {
        if (type == nullptr)
            return abi::err_type;
        if (const int error = check_parts(all.peers(), part))
            return error;
        if (has_own)
            if (const int error = check_distinct(own, part(all.me())))
                return error;
    }
    all.begin();
    if (mine == role::other)
        all.send(root, own);
    for (int r = 0; mine == role::root && r < all.peers(); ++r)
        if (!all.is_self(r))
            all.receive(r, part(r));
        else if (has_own)
            all.copy(own, part(r));
    return all.end();
}

template <class Stage>
int gather_by(Stage &&all, const void *sent, std::int64_t send_count, datatype send_type,
              void *received, std::int64_t receive_count, datatype receive_type, int root,
              comm on) {
    return gather_to(all, sent, send_count, send_type, receive_type, root, on,
                     [&](int r, const datatype_object &type) {
                         return elements(received, r * receive_count, receive_count, type);
                     });
}

template <class Stage>
int gatherv_by(Stage &&all, const void *sent, std::int64_t send_count, datatype send_type,
               void *received, const std::int64_t *receive_counts, const std::int64_t *places,
               datatype receive_type, int root, comm on) {
    return gather_to(all, sent, send_count, send_type, receive_type, root, on,
                     [&](int r, const datatype_object &type) {
                         return elements(received, places[r], receive_counts[r], type);
                     });
}

} // namespace

int gather(const void *sent, std::int64_t send_count, datatype send_type, void *received,
           std::int64_t receive_count, datatype receive_type, int root, comm on) {
    return gather_by(blocking_stage("MPI_Gather"), sent, send_count, send_type, received,
                     receive_count, receive_type, root, on);
}

int igather(const void *sent, std::int64_t send_count, datatype send_type, void *received,
            std::int64_t receive_count, datatype receive_type, int root, comm on, request *out) {
    return gather_by(recorded_stage(out), sent, send_count, send_type, received, receive_count,
                     receive_type, root, on);
}

int gather_init(const void *sent, std::int64_t send_count, datatype send_type, void *received,
                std::int64_t receive_count, datatype receive_type, int root, comm on, info,
                request *out) {
    return gather_by(started_by_the_program(out), sent, send_count, send_type, received,
                     receive_count, receive_type, root, on);
}

int gatherv(const void *sent, std::int64_t send_count, datatype send_type, void *received,
            const std::int64_t *receive_counts, const std::int64_t *places, datatype receive_type,
            int root, comm on) {
    return gatherv_by(blocking_stage("MPI_Gatherv"), sent, send_count, send_type, received,
                      receive_counts, places, receive_type, root, on);
}

int igatherv(const void *sent, std::int64_t send_count, datatype send_type, void *received,
             const std::int64_t *receive_counts, const std::int64_t *places, datatype receive_type,
             int root, comm on, request *out) {
    return gatherv_by(recorded_stage(out), sent, send_count, send_type, received, receive_counts,
                      places, receive_type, root, on);
}

int gatherv_init(const void *sent, std::int64_t send_count, datatype send_type, void *received,
                 const std::int64_t *receive_counts, const std::int64_t *places,
                 datatype receive_type, int root, comm on, info, request *out) {
    return gatherv_by(started_by_the_program(out), sent, send_count, send_type, received,
                      receive_counts, places, receive_type, root, on);
}

} // namespace saguaro::mpi::core
