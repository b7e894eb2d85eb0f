// SPDX-License-Identifier: MIT
// Each member sends to all others, and then receives from all: n (n - 1) messages, and it waits
// once only. A piece at a time, because there is room for that.
#include "channels/collectives/algorithms.hpp"

namespace saguaro::channels {

void alltoall_flat(transport &t, const_bytes from, bytes to) {
    const unsigned n = t.members();
    const unsigned me = t.self();
    const std::size_t each = to.size() / n;
    for_each_piece(each, t.most_sent(), 1, [&](std::size_t at, std::size_t size) {
        pairwise(me, n, 1U, [&](unsigned target, unsigned) {
            t.send_piece(target, from.subspan(target * each + at, size));
        });
        pairwise(me, n, 1U, [&](unsigned, unsigned source) {
            copy_bytes(to.data() + source * each + at, t.receive_piece(source, size), size);
            t.done_with(source);
        });
    });
    copy_bytes(to.data() + me * each, from.data() + me * each, each);
}

} // namespace saguaro::channels
