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
    const unsigned mine = subtree_of(me, n);
    buffer room(mine * each); // what the members from this one on have sent
    copy_bytes(room.data(), from.data(), each);
    unsigned distance = 1;
    for (; distance < n && (me & distance) == 0; distance *= 2)
        if (me + distance < n)
            t.receive(member_at(me + distance, root, n),
                      bytes(room.data() + distance * each, subtree_of(me + distance, n) * each));
    if (me != 0) {
        t.send(member_at(me - distance, root, n), {room.data(), mine * each});
        return;
    }
    const std::size_t before_end = (n - root) * each;
    copy_bytes(to.data() + root * each, room.data(), before_end);
    copy_bytes(to.data(), room.data() + before_end, root * each);
}

} // namespace saguaro::channels
