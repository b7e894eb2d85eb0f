// SPDX-License-Identifier: MIT
// Reserving rings before the job starts, and touching their pages.
#include "mpi/core/rings/early_rings.hpp"

#include "mpi/core/rings/rings.hpp"

#include <sys/mman.h>

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23 // Linux 5.14; older ones refuse it, and the first messages wait
#endif

namespace saguaro::mpi {

namespace {

bool is_between(std::string_view kind, std::uint32_t from, std::uint32_t to, std::uint32_t ranks) {
    const bool is_sender = kind[0] == 'p' || (kind[0] == 'm') == (from == 0);
    switch (kind[2]) {
    case 'n':
        return is_sender && to == (from + 1) % ranks;
    case 'm':
        return is_sender && to == 0;
    case 's':
        return is_sender && to != 0;
    default:
        return is_sender; // to any, or to all
    }
}

void touch(const world &of, std::uint32_t reader, std::uint32_t writer) {
    // Acquire pairs with the release in `out_ring::out_ring`.
    const place where = of.ring_to(reader, writer).load(std::memory_order_acquire);
    if (where == 0)
        return;
    block &memory = *of.job().at<block>(where);
    madvise(&memory, std::size_t{1} << memory.order, MADV_POPULATE_WRITE);
}

} // namespace

bool reserve_channels(const world &of, std::string_view kind) {
    bool is_known = false;
    for (const std::string_view known : {"p2p", "p2a", "p2n", "m2s", "m2a", "s2m", "s2a"})
        is_known = is_known || kind == known;
    if (!is_known)
        return false;
    for (std::uint32_t from = 0; from < of.size(); ++from)
        for (std::uint32_t to = 0; to < of.size(); ++to)
            if (from != to && is_between(kind, from, to, of.size()) &&
                of.ring_to(to, from).load(std::memory_order_relaxed) == 0)
                out_ring(of, from, to);
    return true;
}

void touch_channels(const world &of, std::uint32_t me) {
    for (std::uint32_t other = 0; other < of.size(); ++other) {
        touch(of, me, other);
        touch(of, other, me);
    }
}

} // namespace saguaro::mpi
