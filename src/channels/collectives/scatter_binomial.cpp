// SPDX-License-Identifier: MIT
// Down a binomial tree, whose members get the parts of all below them: n - 1 messages, log n of
// them one after the other, but each byte travels up to log n times.
#include "channels/collectives/algorithms.hpp"
#include "channels/collectives/buffer.hpp"

namespace saguaro::channels {

void scatter_binomial(transport &t, unsigned root, const_bytes from, bytes to) {
    const unsigned n = t.members();
    const unsigned me = from_root(t.self(), root, n);
    const std::size_t each = to.size();
    const unsigned mine = subtree_of(me, n);
    buffer room(mine * each); // the parts of the members from this one on
    unsigned distance = 1;
    while (distance < n && (me & distance) == 0)
        distance *= 2;
    if (me == 0) {
        const std::size_t before_end = (n - root) * each;
        copy_bytes(room.data(), from.data() + root * each, before_end);
        copy_bytes(room.data() + before_end, from.data(), root * each);
    } else {
        t.receive(member_at(me - distance, root, n), bytes(room.data(), mine * each));
    }
    while (distance /= 2)
        if (me + distance < n)
            t.send(member_at(me + distance, root, n),
                   {room.data() + distance * each, subtree_of(me + distance, n) * each});
    copy_bytes(to.data(), room.data(), each);
}

} // namespace saguaro::channels
