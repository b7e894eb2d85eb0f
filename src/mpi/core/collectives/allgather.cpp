// SPDX-License-Identifier: MIT
// Allgather: each rank writes its part once, and all others read it there.
#include "mpi/core/collectives/stage.hpp"
#include "mpi/core/interface/addresses.hpp"
#include "mpi/core/interface/functions.hpp"

namespace saguaro::mpi::core {

namespace {

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
int allgather_by(Stage &&all, const void *sent, std::int64_t send_count, datatype send_type,
                 void *received, std::int64_t receive_count, datatype receive_type, comm on) {
    return gather_for_all(all, sent, send_count, send_type, receive_type, on,
                          [&](int r, const datatype_object &type) {
                              return elements(received, r * receive_count, receive_count, type);
                          });
}

template <class Stage>
int allgatherv_by(Stage &&all, const void *sent, std::int64_t send_count, datatype send_type,
                  void *received, const std::int64_t *receive_counts, const std::int64_t *places,
                  datatype receive_type, comm on) {
    return gather_for_all(all, sent, send_count, send_type, receive_type, on,
                          [&](int r, const datatype_object &type) {
                              return elements(received, places[r], receive_counts[r], type);
                          });
}

} // namespace

int allgather(const void *sent, std::int64_t send_count, datatype send_type, void *received,
              std::int64_t receive_count, datatype receive_type, comm on) {
    return allgather_by(blocking_stage("MPI_Allgather"), sent, send_count, send_type, received,
                        receive_count, receive_type, on);
}

int iallgather(const void *sent, std::int64_t send_count, datatype send_type, void *received,
               std::int64_t receive_count, datatype receive_type, comm on, request *out) {
    return allgather_by(recorded_stage(out), sent, send_count, send_type, received, receive_count,
                        receive_type, on);
}

int allgather_init(const void *sent, std::int64_t send_count, datatype send_type, void *received,
                   std::int64_t receive_count, datatype receive_type, comm on, info, request *out) {
    return allgather_by(started_by_the_program(out), sent, send_count, send_type, received,
                        receive_count, receive_type, on);
}

int allgatherv(const void *sent, std::int64_t send_count, datatype send_type, void *received,
               const std::int64_t *receive_counts, const std::int64_t *places,
               datatype receive_type, comm on) {
    return allgatherv_by(blocking_stage("MPI_Allgatherv"), sent, send_count, send_type, received,
                         receive_counts, places, receive_type, on);
}

int iallgatherv(const void *sent, std::int64_t send_count, datatype send_type, void *received,
                const std::int64_t *receive_counts, const std::int64_t *places,
                datatype receive_type, comm on, request *out) {
    return allgatherv_by(recorded_stage(out), sent, send_count, send_type, received, receive_counts,
                         places, receive_type, on);
}

int allgatherv_init(const void *sent, std::int64_t send_count, datatype send_type, void *received,
                    const std::int64_t *receive_counts, const std::int64_t *places,
                    datatype receive_type, comm on, info, request *out) {
    return allgatherv_by(started_by_the_program(out), sent, send_count, send_type, received,
                         receive_counts, places, receive_type, on);
}

} // namespace saguaro::mpi::core
