// SPDX-License-Identifier: MIT
// Up a binomial tree and down again: 2 (n - 1) messages, 2 log n of them one after the other.
#include "channels/collectives/algorithms.hpp"

namespace saguaro::channels {

void barrier_binomial(transport &t) {
    const unsigned me = t.self();
    unsigned distance = 1;
    for (; distance < t.members() && (me & distance) == 0; distance *= 2)
        if (me + distance < t.members())
            t.receive(me + distance, {});
    if (me != 0) {
        t.send(me - distance, {});
        t.receive(me - distance, {});
    }
    while (distance /= 2)
        if (me + distance < t.members())
            t.send(me + distance, {});
}

} // namespace saguaro::channels
