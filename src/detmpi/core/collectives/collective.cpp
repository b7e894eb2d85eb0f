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

} // namespace saguaro::detmpi
