// SPDX-License-Identifier: MIT
// All-to-all by distances (Bruck and others, 1997): data for a member d further on travel the
// distances 1, 2, 4 ... whose sum is d. That takes n log n messages, log n of them one after the
// other, but each byte travels up to log n times.
#include "channels/collectives/algorithms.hpp"
#include "channels/collectives/buffer.hpp"

namespace saguaro::channels {

namespace {

// Calls move(block, place) for each block that travels that distance: they lie at consecutive
// places of the message. Returns how many there are.
template <class Move>
unsigned for_each_traveller(unsigned n, unsigned distance, Move move) {
    unsigned place = 0;
    for (unsigned block = distance; block < n; ++block)
        if ((block & distance) != 0)
            move(block, place++);
    return place;
}

} // namespace

void alltoall_bruck(transport &t, const_bytes from, bytes to) {
    const unsigned n = t.members();
    const unsigned me = t.self();
    const std::size_t each = to.size() / n;
    buffer held(n * each);        // block d is on its way to the member d further
    buffer message(2 * n * each); // one that goes, and one that comes
    std::byte *const coming = message.data() + n * each;
    const auto block_at = [&](std::byte *first, unsigned block) { return first + block * each; };
    for (unsigned d = 0; d < n; ++d)
        copy_bytes(block_at(held.data(), d), from.data() + (me + d) % n * each, each);
    dissemination(me, n, [&](unsigned distance, unsigned target, unsigned source) {
        const unsigned count = for_each_traveller(n, distance, [&](unsigned d, unsigned place) {
            copy_bytes(block_at(message.data(), place), block_at(held.data(), d), each);
        });
        t.exchange(target, {message.data(), count * each}, source, bytes(coming, count * each));
        for_each_traveller(n, distance, [&](unsigned d, unsigned place) {
            copy_bytes(block_at(held.data(), d), block_at(coming, place), each);
        });
    });
    for (unsigned d = 0; d < n; ++d)
        copy_bytes(to.data() + (me + n - d) % n * each, block_at(held.data(), d), each);
}

} // namespace saguaro::channels
