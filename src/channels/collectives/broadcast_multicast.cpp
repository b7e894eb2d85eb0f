// SPDX-License-Identifier: MIT
// The root publishes one copy, which all others read: one message, n copies.
#include "channels/collectives/algorithms.hpp"

namespace saguaro::channels {

void broadcast_multicast(transport &t, unsigned root, bytes data) {
    if (t.self() == root)
        t.publish(data);
    else
        t.read(root, data);
}

} // namespace saguaro::channels
