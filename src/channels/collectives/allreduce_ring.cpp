// SPDX-License-Identifier: MIT
// Each member combines its part of the values, which the others send to it; then the parts go
// around a ring: 2 n (n - 1) messages, but no byte of the values travels more than twice, and the
// work is shared. (The usual ring adds in another order for each part, and so with other bits.)
#include "channels/collectives/algorithms.hpp"

namespace saguaro::channels {

void allreduce_ring(transport &t, const combination &op, const_bytes from, bytes to) {
    const unsigned n = t.members();
    const unsigned me = t.self();
    const auto part = [&](unsigned i) {
        const std::size_t begin = part_begin(to.size(), op.unit, i, n);
        return to.subspan(begin, part_begin(to.size(), op.unit, i + 1, n) - begin);
    };
    combine_own_part(t, op, from, part(me));
    for (unsigned step = 0; step + 1 < n; ++step)
        t.exchange((me + 1) % n, part((me + n - step) % n), (me + n - 1) % n,
                   part((me + 2 * n - step - 1) % n), op.unit);
}

} // namespace saguaro::channels
