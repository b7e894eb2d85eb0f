// SPDX-License-Identifier: MIT
// The root sends each member its part: n - 1 messages.
#include "channels/collectives/algorithms.hpp"

namespace saguaro::channels {

void scatter_flat(transport &t, unsigned root, const_bytes from, bytes to) {
    if (t.self() != root) {
        t.receive(root, to);
        return;
    }
    const auto part = [&](unsigned m) { return from.subspan(m * to.size(), to.size()); };
    for (unsigned distance = 1; distance < t.members(); ++distance) {
        const unsigned m = member_at(distance, root, t.members());
        t.send(m, part(m));
    }
    copy_bytes(to.data(), part(root).data(), to.size());
}

} // namespace saguaro::channels
