// SPDX-License-Identifier: MIT
// Scatter: the root sends each rank its part.
#include "mpi/core/collectives/stage.hpp"
#include "mpi/core/interface/addresses.hpp"
#include "mpi/core/interface/functions.hpp"

namespace saguaro::mpi::core {

namespace {

// place(rank, type): where the root has that rank's elements.
template <class Stage, class Place>
int scatter_from(Stage &all, datatype send_type, void *received, std::int64_t receive_count,
                 datatype receive_type, int root, comm on, Place place) {
    role mine;
    if (const int error = all.open(on, root, mine))
        return error;
    const bool is_in_place = mpi::is_in_place(received);
    if (is_in_place && mine == role::other)
        return abi::err_buffer;
    const bool has_own = mine == role::root && !all.is_inter() && !is_in_place;
    typed_buffer own;
    if (mine == role::other || has_own)
        if (const int error = all.buffer(own, received, receive_count, receive_type))
            return error;
    const datatype_object *const type = mine == role::root ? all.type(send_type) : nullptr;
    const auto part = [&](int r) { return place(r, *type); };
    if (mine == role::root) {
        if (type == nullptr)
            return abi::err_type;
        if (const int error = check_parts(all.peers(), part))
            return error;
        if (has_own)
            if (const int error = check_distinct(part(all.me()), own))
                return error;
    }
    all.begin();
    for (int r = 0; mine == role::root && r < all.peers(); ++r)
        if (!all.is_self(r))
            all.send(r, part(r));
        else if (has_own)
            all.copy(part(r), own);
    if (mine == role::other)
        all.receive(root, own);
    return all.end();
}

template <class Stage>
int scatter_by(Stage &&all, const void *sent, std::int64_t send_count, datatype send_type,
               void *received, std::int64_t receive_count, datatype receive_type, int root,
               comm on) {
    return scatter_from(all, send_type, received, receive_count, receive_type, root, on,
                        [&](int r, const datatype_object &type) {
                            return elements(sent, r * send_count, send_count, type);
                        });
}

template <class Stage>
int scatterv_by(Stage &&all, const void *sent, const std::int64_t *send_counts,
                const std::int64_t *places, datatype send_type, void *received,
                std::int64_t receive_count, datatype receive_type, int root, comm on) {
    return scatter_from(all, send_type, received, receive_count, receive_type, root, on,
                        [&](int r, const datatype_object &type) {
                            return elements(sent, places[r], send_counts[r], type);
                        });
}

} // namespace

int scatter(const void *sent, std::int64_t send_count, datatype send_type, void *received,
            std::int64_t receive_count, datatype receive_type, int root, comm on) {
    return scatter_by(blocking_stage("MPI_Scatter"), sent, send_count, send_type, received,
                      receive_count, receive_type, root, on);
}

int iscatter(const void *sent, std::int64_t send_count, datatype send_type, void *received,
             std::int64_t receive_count, datatype receive_type, int root, comm on, request *out) {
    return scatter_by(recorded_stage(out), sent, send_count, send_type, received, receive_count,
                      receive_type, root, on);
}

int scatter_init(const void *sent, std::int64_t send_count, datatype send_type, void *received,
                 std::int64_t receive_count, datatype receive_type, int root, comm on, info,
                 request *out) {
    return scatter_by(started_by_the_program(out), sent, send_count, send_type, received,
                      receive_count, receive_type, root, on);
}

int scatterv(const void *sent, const std::int64_t *send_counts, const std::int64_t *places,
             datatype send_type, void *received, std::int64_t receive_count, datatype receive_type,
             int root, comm on) {
    return scatterv_by(blocking_stage("MPI_Scatterv"), sent, send_counts, places, send_type,
                       received, receive_count, receive_type, root, on);
}

int iscatterv(const void *sent, const std::int64_t *send_counts, const std::int64_t *places,
              datatype send_type, void *received, std::int64_t receive_count, datatype receive_type,
              int root, comm on, request *out) {
    return scatterv_by(recorded_stage(out), sent, send_counts, places, send_type, received,
                       receive_count, receive_type, root, on);
}

int scatterv_init(const void *sent, const std::int64_t *send_counts, const std::int64_t *places,
                  datatype send_type, void *received, std::int64_t receive_count,
                  datatype receive_type, int root, comm on, info, request *out) {
    return scatterv_by(started_by_the_program(out), sent, send_counts, places, send_type, received,
                       receive_count, receive_type, root, on);
}

} // namespace saguaro::mpi::core
