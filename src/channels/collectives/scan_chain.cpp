// SPDX-License-Identifier: MIT
// Each member gets from the one before it what has been combined so far, adds its own value and
// passes it on: n - 1 messages, all of them one after the other. What is passed on are log n values
// at most: blocks of 1, 2, 4 ... values, so that the order is that of the other algorithms.
#include "channels/collectives/algorithms.hpp"
#include "channels/collectives/buffer.hpp"

namespace saguaro::channels {

void scan_chain(transport &t, const combination &op, const_bytes from, bytes to) {
    const unsigned me = t.self();
    buffer blocks(prefix::room_for(t.members(), from.size()));
    prefix before(op, blocks.data(), from.size());
    if (me != 0)
        t.receive(me - 1, bytes(blocks.data(), prefix::bytes_of(me, from.size())), op.unit);
    before.take_over(me);
    buffer own(me + 1 < t.members() ? from.size() : 0);
    if (me + 1 < t.members()) {
        copy_bytes(own.data(), from.data(), from.size());
        before.result_with(from.data(), to.data());
        before.add(own.data());
        t.send(me + 1, before.blocks(), op.unit);
    } else {
        before.result_with(from.data(), to.data());
    }
}

} // namespace saguaro::channels
