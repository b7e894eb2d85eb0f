// SPDX-License-Identifier: MIT
// Sending and receiving in the second context, with the checks that all collectives share.
#include "mpi/core/collectives/collective.hpp"

#include "mpi/core/reports/diagnostics.hpp"
#include "mpi/core/reports/leaks.hpp"

#include <algorithm>

namespace saguaro::mpi {

void look_at_size(const char *call, int from, std::uint64_t came, std::int64_t room) {
    if (came >= static_cast<std::uint64_t>(room) || !is_checking())
        return;
    say("%s: rank %d of the communicator has given %llu bytes, and %lld belong here: the counts or "
        "types of the ranks do not agree",
        call, from, static_cast<unsigned long long>(came), static_cast<long long>(room));
}

void collective::receive(int from, const typed_buffer &what) {
    receive_up_to(from, what);
    look_at_size(call_, from, got_bytes_, what.bytes);
}

void collective::receive_up_to(int from, const typed_buffer &what) {
    rank &me = *rank::mine;
    received_message got;
    if (me.receive_next(on_.world_rank(from), on_.context + 1, tag_, what, got)) {
        clock_ = std::max(clock_, got.stamp);
        got_bytes_ = static_cast<std::uint64_t>(got.bytes);
        if (got.error != 0)
            fail(got.error);
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
    me.wait_for(r, clock_, call_);
    // Complete at the stamp and the latency, which is no part of the rule here.
    clock_ = std::max(clock_, r.completed - latency);
    got_bytes_ = r.got_bytes;
    if (r.error != 0)
        fail(r.error);
}

void collective::receive_exactly(int from, const typed_buffer &what) {
    receive_up_to(from, what);
    if (got_bytes_ != static_cast<std::uint64_t>(what.bytes))
        fail(abi::err_other);
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
    rank::mine->send_to_all(other_ranks(on_), on_.context + 1, tag_, what, clock_);
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
