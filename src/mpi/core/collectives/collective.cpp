// SPDX-License-Identifier: MIT
// Sending and receiving in the second context, with the checks that all collectives share.
#include "mpi/core/collectives/collective.hpp"

#include "mpi/core/reports/misfits.hpp"

#include <algorithm>

namespace saguaro::mpi {

collective::collective(comm_object &on, const char *call)
    : on_(on), call_(collective_call::named(call)) {
    if (compares_calls)
        compare_calls(on, {call_});
    begin();
    number_ = number_of_message(call_, on.blocking++);
}

// What has come is not what belongs here, or not whole.
void collective::complain(int from, const typed_buffer &what, std::uint64_t bytes,
                          std::uint32_t number, int error) {
    const bool is_cut = error == abi::err_truncate;
    const got_message got{on_.world_rank(from), number, bytes, is_cut};
    if (compares_ && !fits_collective(got, on_, call_, number_of(what), what)) {
        if (!returns_errors_)
            misfits::end_job(call_.name(), abi::err_other);
        fail(is_cut ? abi::err_truncate : abi::err_other);
    } else if (error != 0) {
        fail(error);
    }
}

void collective::receive(int from, const typed_buffer &what) {
    rank &me = *rank::mine;
    const std::uint32_t number = number_of(what);
    const auto bytes = static_cast<std::uint64_t>(what.bytes);
    received_message got;
    if (me.receive_next(on_.world_rank(from), on_.context + 1, tag_, what, got)) {
        clock_ = std::max(clock_, got.stamp);
        if (got.error != 0 || got.number != number || got.bytes != bytes) [[unlikely]]
            complain(from, what, got.bytes, got.number, got.error);
        return;
    }
    request_object r;
    r.what = action::receive;
    r.on = &on_;
    r.context = on_.context + 1;
    r.peer = on_.world_rank(from);
    r.tag = tag_;
    r.buffer = what;
    me.post(r);
    me.wait_for(r, clock_, call_.name());
    // Complete at the stamp and the latency, which is no part of the rule here.
    clock_ = std::max(clock_, r.completed - latency);
    if (r.error != 0 || r.got_number != number || r.got_bytes != bytes) [[unlikely]]
        complain(from, what, r.got_bytes, r.got_number, r.error);
}

std::vector<std::uint32_t> other_ranks(const comm_object &of) {
    std::vector<std::uint32_t> all = of.peers().members;
    if (!of.is_inter())
        all.erase(all.begin() + of.rank);
    return all;
}

void collective::send_to_all(const typed_buffer &what) {
    if (what.bytes <= static_cast<std::int64_t>(most_in_ring)) {
        for (int r = 0; r < on_.peers().size(); ++r)
            if (on_.is_inter() || r != me())
                send(r, what);
        return;
    }
    rank::mine->send_to_all(other_ranks(on_), on_.context + 1, tag_, what, clock_, number_of(what));
}

void copy_elements(const typed_buffer &from, const typed_buffer &to) {
    const std::int64_t bytes = std::min(from.bytes, to.bytes);
    if (bytes != 0)
        copy(*from.type, from.base, from.count, *to.type, to.base, to.count, bytes);
}

int check(comm on, comm_object *&out) {
    out = find(on);
    return out == nullptr || out->is_inter() ? abi::err_comm : abi::success;
}

} // namespace saguaro::mpi
