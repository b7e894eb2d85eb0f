// SPDX-License-Identifier: MIT
// Helpers of the algorithms that combine values.
#include "channels/collectives/algorithms.hpp"
#include "channels/collectives/buffer.hpp"

namespace saguaro::channels {

void combine_received(transport &t, const combination &op, const_bytes from, bytes to) {
    const unsigned n = t.members();
    buffer room(n * sizeof(const std::byte *));
    const std::span values(reinterpret_cast<const std::byte **>(room.data()), n);
    for_each_piece(from.size(), t.most_sent(), op.unit, [&](std::size_t at, std::size_t size) {
        for (unsigned m = 0; m < n; ++m)
            values[m] = m == t.self() ? from.data() + at : t.receive_piece(m, size);
        combine_all(op, values, to.data() + at, size);
        for (unsigned m = 0; m < n; ++m)
            if (m != t.self())
                t.done_with(m);
    });
}

void combine_own_part(transport &t, const combination &op, const_bytes from, bytes to) {
    const unsigned n = t.members();
    const unsigned me = t.self();
    const auto begin = [&](unsigned i) { return part_begin(from.size(), op.unit, i, n); };
    const std::size_t mine = begin(me + 1) - begin(me);
    buffer room(n * mine);
    buffer room_for_values(n * sizeof(const std::byte *));
    const std::span values(reinterpret_cast<const std::byte **>(room_for_values.data()), n);
    values[me] = from.data() + begin(me);
    for (unsigned step = 1; step < n; ++step) {
        const unsigned target = (me + step) % n;
        const unsigned source = (me + n - step) % n;
        std::byte *const into = room.data() + source * mine;
        t.exchange(target, from.subspan(begin(target), begin(target + 1) - begin(target)), source,
                   bytes(into, mine), op.unit);
        values[source] = into;
    }
    combine_all(op, values, to.data(), mine);
}

} // namespace saguaro::channels
