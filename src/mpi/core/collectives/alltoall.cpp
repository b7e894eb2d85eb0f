// SPDX-License-Identifier: MIT
// All to all: a rank sends to all others, then receives from them. Much data go pairwise: in step k
// a rank sends to the one k behind it and receives from the one k before it.
#include "mpi/core/collectives/stage.hpp"
#include "mpi/core/interface/addresses.hpp"
#include "mpi/core/interface/functions.hpp"

namespace saguaro::mpi::core {

namespace {

// What a rank sends before it waits for others, in bytes. Ranks that share a processor wait for
// each other in each step of a pairwise exchange.
constexpr std::int64_t most_on_its_way = 1 << 20;

// from(rank), to(rank): the elements for that rank, and where that rank's go. In place: they are
// taken from where the others' go to.
template <class Stage, class From, class To>
int exchange_with_all(Stage &all, bool is_in_place, From from, To to) {
    int error = check_parts(all.peers(), to);
    if (error == 0 && is_in_place && all.is_inter())
        error = abi::err_buffer;
    if (error == 0 && !is_in_place)
        error = check_parts(all.peers(), from);
    if (error == 0 && !is_in_place && !all.is_inter())
        error = check_distinct(from(all.me()), to(all.me()));
    if (error != 0)
        return error;
    const int n = all.peers();
    const int me = all.me() % n; // of an intercommunicator, which has no step 0
    const int first = all.is_inter() ? 0 : 1;
    std::int64_t bytes = 0;
    for (int r = 0; r < n && !is_in_place; ++r)
        bytes += from(r).bytes;
    const auto send = [&](int k) {
        all.send((me + k) % n, is_in_place ? to((me + k) % n) : from((me + k) % n));
    };
    // A send has left its buffer when it returns: in place, all are sent before any is received.
    const bool sends_first = is_in_place || bytes <= most_on_its_way;
    all.begin();
    if (!is_in_place && !all.is_inter())
        all.copy(from(me), to(me));
    for (int k = first; sends_first && k < n; ++k)
        send(k);
    for (int k = first; k < n; ++k) {
        if (!sends_first)
            send(k);
        all.receive((me - k + n) % n, to((me - k + n) % n));
    }
    return all.end();
}

template <class Stage>
int alltoall_by(Stage &&all, const void *sent, std::int64_t send_count, datatype send_type,
                void *received, std::int64_t receive_count, datatype receive_type, comm on) {
    if (const int error = all.open(on))
        return error;
    const bool in_place = is_in_place(sent);
    const datatype_object *const s = all.type(in_place ? receive_type : send_type);
    const datatype_object *const r = all.type(receive_type);
    if (s == nullptr || r == nullptr)
        return abi::err_type;
    return exchange_with_all(
        all, in_place,
        [&](int which) { return elements(sent, which * send_count, send_count, *s); },
        [&](int which) { return elements(received, which * receive_count, receive_count, *r); });
}

template <class Stage>
int alltoallv_by(Stage &&all, const void *sent, const std::int64_t *send_counts,
                 const std::int64_t *send_places, datatype send_type, void *received,
                 const std::int64_t *receive_counts, const std::int64_t *receive_places,
                 datatype receive_type, comm on) {
    if (const int error = all.open(on))
        return error;
    const bool in_place = is_in_place(sent);
    const datatype_object *const s = all.type(in_place ? receive_type : send_type);
    const datatype_object *const r = all.type(receive_type);
    if (s == nullptr || r == nullptr)
        return abi::err_type;
    return exchange_with_all(
        all, in_place,
        [&](int which) { return elements(sent, send_places[which], send_counts[which], *s); },
        [&](int which) {
            return elements(received, receive_places[which], receive_counts[which], *r);
        });
}

template <class Stage>
int alltoallw_by(Stage &&all, const void *sent, const std::int64_t *send_counts,
                 const std::int64_t *send_places, const datatype *send_types, void *received,
                 const std::int64_t *receive_counts, const std::int64_t *receive_places,
                 const datatype *receive_types, comm on) {
    if (const int error = all.open(on))
        return error;
    const bool in_place = is_in_place(sent);
    for (int r = 0; r < all.peers(); ++r)
        if (all.type(receive_types[r]) == nullptr ||
            (!in_place && all.type(send_types[r]) == nullptr))
            return abi::err_type;
    return exchange_with_all(
        all, in_place,
        [&](int which) {
            return elements_at(sent, send_places[which], send_counts[which], send_types[which]);
        },
        [&](int which) {
            return elements_at(received, receive_places[which], receive_counts[which],
                               receive_types[which]);
        });
}

} // namespace

int alltoall(const void *sent, std::int64_t send_count, datatype send_type, void *received,
             std::int64_t receive_count, datatype receive_type, comm on) {
    return alltoall_by(blocking_stage("MPI_Alltoall"), sent, send_count, send_type, received,
                       receive_count, receive_type, on);
}

int ialltoall(const void *sent, std::int64_t send_count, datatype send_type, void *received,
              std::int64_t receive_count, datatype receive_type, comm on, request *out) {
    return alltoall_by(recorded_stage(out), sent, send_count, send_type, received, receive_count,
                       receive_type, on);
}

int alltoall_init(const void *sent, std::int64_t send_count, datatype send_type, void *received,
                  std::int64_t receive_count, datatype receive_type, comm on, info, request *out) {
    return alltoall_by(started_by_the_program(out), sent, send_count, send_type, received,
                       receive_count, receive_type, on);
}

int alltoallv(const void *sent, const std::int64_t *send_counts, const std::int64_t *send_places,
              datatype send_type, void *received, const std::int64_t *receive_counts,
              const std::int64_t *receive_places, datatype receive_type, comm on) {
    return alltoallv_by(blocking_stage("MPI_Alltoallv"), sent, send_counts, send_places, send_type,
                        received, receive_counts, receive_places, receive_type, on);
}

int ialltoallv(const void *sent, const std::int64_t *send_counts, const std::int64_t *send_places,
               datatype send_type, void *received, const std::int64_t *receive_counts,
               const std::int64_t *receive_places, datatype receive_type, comm on, request *out) {
    return alltoallv_by(recorded_stage(out), sent, send_counts, send_places, send_type, received,
                        receive_counts, receive_places, receive_type, on);
}

int alltoallv_init(const void *sent, const std::int64_t *send_counts,
                   const std::int64_t *send_places, datatype send_type, void *received,
                   const std::int64_t *receive_counts, const std::int64_t *receive_places,
                   datatype receive_type, comm on, info, request *out) {
    return alltoallv_by(started_by_the_program(out), sent, send_counts, send_places, send_type,
                        received, receive_counts, receive_places, receive_type, on);
}

int alltoallw(const void *sent, const std::int64_t *send_counts, const std::int64_t *send_places,
              const datatype *send_types, void *received, const std::int64_t *receive_counts,
              const std::int64_t *receive_places, const datatype *receive_types, comm on) {
    return alltoallw_by(blocking_stage("MPI_Alltoallw"), sent, send_counts, send_places, send_types,
                        received, receive_counts, receive_places, receive_types, on);
}

int ialltoallw(const void *sent, const std::int64_t *send_counts, const std::int64_t *send_places,
               const datatype *send_types, void *received, const std::int64_t *receive_counts,
               const std::int64_t *receive_places, const datatype *receive_types, comm on,
               request *out) {
    return alltoallw_by(recorded_stage(out), sent, send_counts, send_places, send_types, received,
                        receive_counts, receive_places, receive_types, on);
}

int alltoallw_init(const void *sent, const std::int64_t *send_counts,
                   const std::int64_t *send_places, const datatype *send_types, void *received,
                   const std::int64_t *receive_counts, const std::int64_t *receive_places,
                   const datatype *receive_types, comm on, info, request *out) {
    return alltoallw_by(started_by_the_program(out), sent, send_counts, send_places, send_types,
                        received, receive_counts, receive_places, receive_types, on);
}

} // namespace saguaro::mpi::core
