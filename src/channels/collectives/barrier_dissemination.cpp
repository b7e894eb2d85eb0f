// SPDX-License-Identifier: MIT
// In step k each member tells the one 2^k further, around the circle (Hensgen, Finkel, Manber
// 1988): n log n messages, log n of them one after the other.
#include "channels/collectives/algorithms.hpp"

namespace saguaro::channels {

void barrier_dissemination(transport &t) {
    dissemination(t.self(), t.members(),
                  [&](unsigned, unsigned to, unsigned from) { t.exchange(to, {}, from, bytes()); });
}

} // namespace saguaro::channels
