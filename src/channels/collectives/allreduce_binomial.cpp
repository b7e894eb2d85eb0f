// SPDX-License-Identifier: MIT
// Up a binomial tree and down again: 2 (n - 1) messages, 2 log n of them one after the other.
#include "channels/collectives/algorithms.hpp"

namespace saguaro::channels {

void allreduce_binomial(transport &t, const combination &op, const_bytes from, bytes to) {
    reduce_binomial(t, 0, op, from, to);
    broadcast_binomial(t, 0, to);
}

} // namespace saguaro::channels
