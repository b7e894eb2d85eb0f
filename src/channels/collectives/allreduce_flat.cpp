// SPDX-License-Identifier: MIT
// All send to member 0, which combines and publishes the result: n - 1 messages and one that all
// read.
#include "channels/collectives/algorithms.hpp"

namespace saguaro::channels {

void allreduce_flat(transport &t, const combination &op, const_bytes from, bytes to) {
    reduce_flat(t, 0, op, from, to);
    broadcast_multicast(t, 0, to);
}

} // namespace saguaro::channels
