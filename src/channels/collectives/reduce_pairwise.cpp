// SPDX-License-Identifier: MIT
// Each member combines its part of the values, which the others send to it, and the root gets the
// parts: n n messages, but the work is shared, and each byte travels twice at most.
#include "channels/collectives/algorithms.hpp"
#include "channels/collectives/buffer.hpp"

namespace saguaro::channels {

void reduce_pairwise(transport &t, unsigned root, const combination &op, const_bytes from,
                     bytes to) {
    const unsigned n = t.members();
    const auto begin = [&](unsigned i) { return part_begin(from.size(), op.unit, i, n); };
    const auto size = [&](unsigned i) { return begin(i + 1) - begin(i); };
    if (t.self() != root) {
        buffer part(size(t.self()));
        const bytes mine(part.data(), size(t.self()));
        combine_own_part(t, op, from, mine);
        t.send(root, mine, op.unit);
        return;
    }
    combine_own_part(t, op, from, to.subspan(begin(root), size(root)));
    for (unsigned m = 0; m < n; ++m)
        if (m != root)
            t.receive(m, to.subspan(begin(m), size(m)), op.unit);
}

} // namespace saguaro::channels
