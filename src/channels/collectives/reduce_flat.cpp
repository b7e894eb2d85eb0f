// SPDX-License-Identifier: MIT
// All send to the root, which combines: n - 1 messages, and all the work is the root's.
#include "channels/collectives/algorithms.hpp"

namespace saguaro::channels {

void reduce_flat(transport &t, unsigned root, const combination &op, const_bytes from, bytes to) {
    if (t.self() == root)
        combine_received(t, op, from, to);
    else
        t.send(root, from, op.unit);
}

} // namespace saguaro::channels
