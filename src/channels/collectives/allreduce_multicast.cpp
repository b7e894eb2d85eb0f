// SPDX-License-Identifier: MIT
// Each member publishes its values, combines its part of all values where they lie, and publishes
// that: 2 n messages that all read, and the least copying where members share memory.
#include "channels/collectives/algorithms.hpp"
#include "channels/collectives/buffer.hpp"

namespace saguaro::channels {

namespace {

void combine_published(transport &t, const combination &op, const_bytes from, bytes to,
                       std::span<const std::byte *> values) {
    const unsigned n = t.members();
    const unsigned me = t.self();
    const auto begin = [&](unsigned i) { return part_begin(from.size(), op.unit, i, n); };
    const auto size = [&](unsigned i) { return begin(i + 1) - begin(i); };
    t.publish_piece(from);
    for (unsigned m = 0; m < n; ++m)
        values[m] = (m == me ? from.data() : t.read_piece(m, from.size())) + begin(me);
    combine_all(op, values, to.data() + begin(me), size(me));
    for (unsigned m = 0; m < n; ++m)
        if (m != me)
            t.done_reading(m);
    t.publish_piece(to.subspan(begin(me), size(me)));
    for (unsigned m = 0; m < n; ++m) {
        if (m == me)
            continue;
        copy_bytes(to.data() + begin(m), t.read_piece(m, size(m)), size(m));
        t.done_reading(m);
    }
}

} // namespace

void allreduce_multicast(transport &t, const combination &op, const_bytes from, bytes to) {
    buffer room(t.members() * sizeof(const std::byte *));
    const std::span values(reinterpret_cast<const std::byte **>(room.data()), t.members());
    for_each_piece(from.size(), t.most_published(), op.unit, [&](std::size_t at, std::size_t size) {
        combine_published(t, op, from.subspan(at, size), to.subspan(at, size), values);
    });
}

} // namespace saguaro::channels
