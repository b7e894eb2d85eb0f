// SPDX-License-Identifier: MIT
// Recursive doubling: in step k neighbouring blocks of 2^k members exchange what they have, each
// member with the one at its place in the other block. Where the right block is shorter, because
// the team ends, its members send to several: n log n messages, log n steps.
#include "channels/collectives/algorithms.hpp"

namespace saguaro::channels {

namespace {

void exchange_with_right(transport &t, const combination &op, bytes to, unsigned place,
                         unsigned right, unsigned in_right) {
    const unsigned other = right + place % in_right;
    const auto combine = [&](std::size_t at, const std::byte *data, std::size_t size) {
        op(to.data() + at, to.data() + at, data, size);
    };
    if (place < in_right)
        t.exchange(other, to, other, to.size(), op.unit, combine);
    else
        t.receive(other, to.size(), op.unit, combine);
}

void exchange_with_left(transport &t, const combination &op, bytes to, unsigned place,
                        unsigned left, unsigned right, unsigned in_right) {
    for (unsigned also = left + place + in_right; also < right; also += in_right)
        t.send(also, to, op.unit);
    const unsigned other = left + place;
    t.exchange(other, to, other, to.size(), op.unit,
               [&](std::size_t at, const std::byte *data, std::size_t size) {
                   op(to.data() + at, data, to.data() + at, size);
               });
}

} // namespace

void allreduce_doubling(transport &t, const combination &op, const_bytes from, bytes to) {
    const unsigned me = t.self();
    copy_bytes(to.data(), from.data(), from.size());
    for (unsigned block = 1; block < t.members(); block *= 2) {
        const unsigned left = me & ~(2 * block - 1);
        const unsigned right = left + block;
        if (right >= t.members())
            continue;
        const unsigned in_right = std::min(block, t.members() - right);
        if (me < right)
            exchange_with_right(t, op, to, me - left, right, in_right);
        else
            exchange_with_left(t, op, to, me - right, left, right, in_right);
    }
}

} // namespace saguaro::channels
