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
    const std::size_t below = members_below(me, n) * each;
    buffer room(below); // the parts of the members from this one on
    if (me == 0) {
        const std::size_t before_end = (n - root) * each;
        copy_bytes(room.data(), from.data() + root * each, before_end);
        copy_bytes(room.data() + before_end, from.data(), root * each);
    }
    down_the_tree(
        me, n,
        [&](unsigned parent) { t.receive(member_at(parent, root, n), bytes(room.data(), below)); },
        [&](unsigned child) {
            t.send(member_at(child, root, n),
                   {room.data() + (child - me) * each, members_below(child, n) * each});
        });
    copy_bytes(to.data(), room.data(), each);
}

} // namespace saguaro::channels
