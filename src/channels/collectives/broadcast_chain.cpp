// SPDX-License-Identifier: MIT
// Each member passes on to the next what it has, piece by piece: n - 1 messages, and all members
// work at the same time if there are many pieces.
#include "channels/collectives/algorithms.hpp"

namespace saguaro::channels {

void broadcast_chain(transport &t, unsigned root, bytes data) {
    const unsigned n = t.members();
    const unsigned me = from_root(t.self(), root, n);
    for_each_piece(data.size(), t.most_sent(), 1, [&](std::size_t at, std::size_t size) {
        if (me != 0) {
            const unsigned before = member_at(me - 1, root, n);
            copy_bytes(data.data() + at, t.receive_piece(before, size), size);
            t.done_with(before);
        }
        if (me + 1 < n)
            t.send_piece(member_at(me + 1, root, n), data.subspan(at, size));
    });
}

} // namespace saguaro::channels
