// SPDX-License-Identifier: MIT
// Up a binomial tree, whose members send on what they have gathered: n - 1 messages, log n of them
// one after the other, but each byte travels up to log n times.
#include "channels/collectives/algorithms.hpp"
#include "channels/collectives/buffer.hpp"

namespace saguaro::channels {

void gather_binomial(transport &t, unsigned root, const_bytes from, bytes to) {
    const unsigned n = t.members();
    const unsigned me = from_root(t.self(), root, n);
    const std::size_t each = from.size();
    const std::size_t below = members_below(me, n) * each;
    buffer room(below); // what the members from this one on have sent
    copy_bytes(room.data(), from.data(), each);
    up_the_tree(
        me, n,
        [&](unsigned child) {
            t.receive(member_at(child, root, n),
                      bytes(room.data() + (child - me) * each, members_below(child, n) * each));
        },
        [&](unsigned parent) { t.send(member_at(parent, root, n), {room.data(), below}); });
    if (me != 0)
        return;
    const std::size_t before_end = (n - root) * each;
    copy_bytes(to.data() + root * each, room.data(), before_end);
    copy_bytes(to.data(), room.data() + before_end, root * each);
}

} // namespace saguaro::channels
