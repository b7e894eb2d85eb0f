// SPDX-License-Identifier: MIT
// All send to member 0, which sends each its result: 2 (n - 1) messages, and all the work is
// member 0's.
#include "channels/collectives/algorithms.hpp"
#include "channels/collectives/buffer.hpp"

namespace saguaro::channels {

namespace {

// Of one piece of the values: receives those of all, and sends the results.
void scan_piece(transport &t, const combination &op, const_bytes from, bytes to) {
    const unsigned n = t.members();
    buffer blocks(prefix::room_for(n, from.size()));
    buffer result(from.size());
    prefix before(op, blocks.data(), from.size());
    before.add(from.data());
    for (unsigned m = 1; m < n; ++m) {
        const std::byte *const value = t.receive_piece(m, from.size());
        before.result_with(value, result.data());
        t.send_piece(m, {result.data(), from.size()});
        before.add(value);
        t.done_with(m);
    }
    copy_bytes(to.data(), from.data(), from.size());
}

} // namespace

void scan_flat(transport &t, const combination &op, const_bytes from, bytes to) {
    if (t.self() != 0) {
        t.exchange(0, from, 0, to, op.unit);
        return;
    }
    for_each_piece(from.size(), t.most_sent(), op.unit, [&](std::size_t at, std::size_t size) {
        scan_piece(t, op, from.subspan(at, size), to.subspan(at, size));
    });
}

} // namespace saguaro::channels
