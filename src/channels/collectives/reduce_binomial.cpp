// SPDX-License-Identifier: MIT
// Up a binomial tree to member 0, and from there to the root if that is another: n messages at
// most, log n + 1 of them one after the other.
#include "channels/collectives/algorithms.hpp"
#include "channels/collectives/buffer.hpp"

namespace saguaro::channels {

void reduce_binomial(transport &t, unsigned root, const combination &op, const_bytes from,
                     bytes to) {
    const unsigned me = t.self();
    const bool combines = me % 2 == 0 && me + 1 < t.members();
    buffer room(combines && me != root ? from.size() : 0);
    std::byte *const into = me == root ? to.data() : room.data();
    const_bytes so_far = from;
    up_the_tree(
        me, t.members(),
        [&](unsigned child) {
            t.receive(child, from.size(), op.unit,
                      [&](std::size_t at, const std::byte *data, std::size_t size) {
                          op(into + at, so_far.data() + at, data, size);
                      });
            so_far = {into, from.size()};
        },
        [&](unsigned parent) { t.send(parent, so_far, op.unit); });
    if (me == 0 && root != 0)
        t.send(root, so_far, op.unit);
    else if (me == 0)
        copy_bytes(to.data(), so_far.data(), so_far.size());
    if (me == root && root != 0)
        t.receive(0, to, op.unit);
}

} // namespace saguaro::channels
