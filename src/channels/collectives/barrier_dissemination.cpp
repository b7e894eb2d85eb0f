// SPDX-License-Identifier: MIT
// In step k each member tells the one 2^k further, around the circle (Hensgen, Finkel, Manber
// 1988): n log n messages, log n of them one after the other.
#include "channels/collectives/algorithms.hpp"

namespace saguaro::channels {

void barrier_dissemination(transport &t) {
    const unsigned n = t.members();
    for (unsigned distance = 1; distance < n; distance *= 2)
        t.exchange((t.self() + distance) % n, {}, (t.self() + n - distance) % n, bytes());
}

} // namespace saguaro::channels
