// SPDX-License-Identifier: MIT
// The search for a deadlock, and the line that names who waits for whom.
#include "mpi/core/waiting/deadlock.hpp"

#include "mpi/core/clock/order.hpp"
#include "mpi/core/reports/diagnostics.hpp"

#include <string>

namespace saguaro::mpi {

namespace {

bool has_finalized(const rank_record &which) {
    return which.life.load(std::memory_order_relaxed) == life::finished;
}

// "rank 3 waits for 1 or 2".
std::string wait_of(const world &of, std::uint32_t r) {
    const rank_record &record = of.rank(r);
    std::string text = "rank " + std::to_string(r) + " waits for";
    unsigned waited_for = 0;
    for (std::uint32_t s = 0; s < of.size(); ++s)
        if ((of.waits_for(record)[s / 64].load(std::memory_order_relaxed) >> (s % 64) & 1) != 0) {
            if (++waited_for > 8)
                continue;
            text += (waited_for == 1 ? " " : " or ") + std::to_string(s);
            if (has_finalized(of.rank(s)))
                text += " (which has finalized)";
        }
    if (waited_for > 8)
        text += " or others";
    return text;
}

} // namespace

void look_for_a_deadlock(const world &of, std::uint32_t me, known_bounds &bounds,
                         const char *call) {
    // A thread that computes may let a rank go on whose other threads all wait.
    if (of.head().has_threads.load(std::memory_order_relaxed) != 0)
        return;
    // The first of those that have not finalized looks, and says it: a snapshot takes a time with
    // the square of the ranks. Not while any rank runs, which each tells in its record.
    for (std::uint32_t r = 0; r < of.size(); ++r) {
        const rank_record &record = of.rank(r);
        if (has_finalized(record))
            continue;
        if (r < me || record.is_blocked.load(std::memory_order_relaxed) == 0)
            return;
    }
    if (!bounds.are_all_stuck())
        return;
    std::string names;
    for (std::uint32_t r = 0; r < of.size(); ++r) {
        if (has_finalized(of.rank(r)) || names.size() > 600)
            continue;
        names += (names.empty() ? "" : "; ") + wait_of(of, r);
    }
    fail("%s: deadlock, no rank can go on: %s%s", call, names.c_str(),
         order::by == order::rule::replay
             ? "; or -order replay has the file of another program, input or number of ranks"
             : "");
}

} // namespace saguaro::mpi
