// SPDX-License-Identifier: MIT
// The root sends to each of the others: n - 1 messages.
#include "channels/collectives/algorithms.hpp"

namespace saguaro::channels {

void broadcast_flat(transport &t, unsigned root, bytes data) {
    if (t.self() != root) {
        t.receive(root, data);
        return;
    }
    for (unsigned distance = 1; distance < t.members(); ++distance)
        t.send(member_at(distance, root, t.members()), data);
}

} // namespace saguaro::channels
