// SPDX-License-Identifier: MIT
// Down a binomial tree: n - 1 messages, log n of them one after the other.
#include "channels/collectives/algorithms.hpp"

namespace saguaro::channels {

void broadcast_binomial(transport &t, unsigned root, bytes data) {
    const unsigned n = t.members();
    const unsigned me = from_root(t.self(), root, n);
    unsigned distance = 1;
    while (distance < n && (me & distance) == 0)
        distance *= 2;
    if (me != 0)
        t.receive(member_at(me - distance, root, n), data);
    while (distance /= 2)
        if (me + distance < n)
            t.send(member_at(me + distance, root, n), data);
}

} // namespace saguaro::channels
