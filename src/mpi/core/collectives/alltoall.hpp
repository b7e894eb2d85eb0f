// SPDX-License-Identifier: MIT
// All to all: a rank sends to all others, then receives from them. Much data go pairwise: in step k
// a rank sends to the one k after it and receives from the one k before it.
#pragma once

#include "collectives/schedules.hpp"
#include "mpi/core/collectives/parts.hpp"
#include "mpi/core/collectives/stage.hpp"
#include "mpi/core/interface/addresses.hpp"

namespace saguaro::mpi::collectives {

// What a rank sends before it waits for others, in bytes. Ranks that share a processor wait for
// each other in each step of a pairwise exchange.
inline constexpr std::int64_t most_on_its_way = 1 << 20;

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
    const auto send = [&](int peer) { all.send(peer, is_in_place ? to(peer) : from(peer)); };
    // A send has left its buffer when it returns: in place, all are sent before any is received.
    const bool sends_first = is_in_place || bytes <= most_on_its_way;
    all.begin();
    if (!is_in_place && !all.is_inter())
        all.copy(from(me), to(me));
    if (sends_first)
        saguaro::collectives::pairwise(me, n, first, [&](int target, int) { send(target); });
    saguaro::collectives::pairwise(me, n, first, [&](int target, int source) {
        if (!sends_first)
            send(target);
        all.receive(source, to(source));
    });
    return all.end();
}

// from(rank, type), to(rank, type): as above, of one type each.
template <class Stage, class From, class To>
int exchange_with_all(Stage &all, const void *sent, datatype send_type, datatype receive_type,
                      comm on, From from, To to) {
    if (const int error = all.open(on))
        return error;
    const bool in_place = is_in_place(sent);
    const datatype_object *const s = all.type(in_place ? receive_type : send_type);
    const datatype_object *const r = all.type(receive_type);
    if (s == nullptr || r == nullptr)
        return abi::err_type;
    return exchange_with_all(
        all, in_place, [&](int which) { return from(which, *s); },
        [&](int which) { return to(which, *r); });
}

template <class Stage>
int alltoall(Stage &&all, const void *sent, std::int64_t send_count, datatype send_type,
             void *received, std::int64_t receive_count, datatype receive_type, comm on) {
    return exchange_with_all(all, sent, send_type, receive_type, on, equal_parts(sent, send_count),
                             equal_parts(received, receive_count));
}

template <class Stage>
int alltoallv(Stage &&all, const void *sent, const std::int64_t *send_counts,
              const std::int64_t *send_places, datatype send_type, void *received,
              const std::int64_t *receive_counts, const std::int64_t *receive_places,
              datatype receive_type, comm on) {
    return exchange_with_all(all, sent, send_type, receive_type, on,
                             parts_at(sent, send_counts, send_places),
                             parts_at(received, receive_counts, receive_places));
}

template <class Stage>
int alltoallw(Stage &&all, const void *sent, const std::int64_t *send_counts,
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

} // namespace saguaro::mpi::collectives
