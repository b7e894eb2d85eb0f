// SPDX-License-Identifier: MIT
// Down a binomial tree: n - 1 messages, log n of them one after the other.
#include "channels/collectives/algorithms.hpp"

namespace saguaro::channels {

void broadcast_binomial(transport &t, unsigned root, bytes data) {
    const unsigned n = t.members();
    down_the_tree(
        from_root(t.self(), root, n), n,
        [&](unsigned parent) { t.receive(member_at(parent, root, n), data); },
        [&](unsigned child) { t.send(member_at(child, root, n), data); });
}

} // namespace saguaro::channels
