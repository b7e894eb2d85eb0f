// SPDX-License-Identifier: MIT
#include "detmpi/core/collectives/collective.hpp"

#include <algorithm>

namespace saguaro::detmpi {

void collective::receive(int from, const typed_buffer &what) {
    rank &me = *rank::mine;
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
    if (r.error != 0)
        fail(r.error);
}

void collective::send_to_all(const typed_buffer &what) {
    std::vector<std::uint32_t> others;
    for (int r = 0; r < size(); ++r)
        if (r != me())
            others.push_back(on_.world_rank(r));
    rank::mine->send_to_all(others, on_.context + 1, tag_, what, clock_);
}

void copy_elements(const typed_buffer &from, const typed_buffer &to) {
    const std::int64_t bytes = std::min(from.bytes, to.bytes);
    if (bytes != 0)
        copy(*from.type, from.base, from.count, *to.type, to.base, to.count, bytes);
}

int check(comm on, int root, comm_object *&out) {
    out = find(on);
    // Of intercommunicators only point to point is there so far.
    if (out == nullptr || out->is_inter())
        return mpi::err_comm;
    return root < 0 || root >= out->size() ? mpi::err_root : mpi::success;
}

} // namespace saguaro::detmpi
