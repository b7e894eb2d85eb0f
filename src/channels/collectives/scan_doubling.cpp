// SPDX-License-Identifier: MIT
// In step k neighbouring blocks of 2^k members exchange what each block gives, and the right one
// adds it to the results of its members: n log n messages, log n of them one after the other.
#include "channels/collectives/algorithms.hpp"
#include "channels/collectives/buffer.hpp"

namespace saguaro::channels {

void scan_doubling(transport &t, const combination &op, const_bytes from, bytes to) {
    const unsigned me = t.self();
    buffer room(from.size());
    // What the caller's block gives. Where the team ends within the block that is too little, but
    // then there is no block to the right that needs it.
    const bytes block(room.data(), from.size());
    copy_bytes(block.data(), from.data(), from.size());
    copy_bytes(to.data(), from.data(), from.size());
    for (unsigned distance = 1; distance < t.members(); distance *= 2) {
        const unsigned other = me ^ distance;
        if (other >= t.members())
            continue;
        t.exchange(other, block, other, block.size(), op.unit,
                   [&](std::size_t at, const std::byte *data, std::size_t size) {
                       std::byte *const mine = block.data() + at;
                       if (other > me) {
                           op(mine, mine, data, size);
                           return;
                       }
                       op(to.data() + at, data, to.data() + at, size);
                       op(mine, data, mine, size);
                   });
    }
}

} // namespace saguaro::channels
