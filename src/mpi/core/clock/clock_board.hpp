// SPDX-License-Identifier: MIT
// A rank's published clock, and its knowledge of other ranks' clocks: ../../README.md, "Bounds".
#pragma once

#include "mpi/core/clock/wait_graph.hpp"
#include "mpi/core/clock/work_clock.hpp"
#include "mpi/core/rings/rings.hpp"
#include "mpi/core/world/world.hpp"

#include <cstdint>
#include <vector>

namespace saguaro::mpi {

// A set of ranks, as long as its greatest one demands.
class rank_set {
public:
    void clear() { words_.clear(); }
    void reserve(std::uint32_t ranks) { words_.reserve((ranks + 63) / 64); }
    void add(std::uint32_t which) {
        if (which / 64 >= words_.size())
            words_.resize(which / 64 + 1);
        words_[which / 64] |= std::uint64_t{1} << (which % 64);
    }
    // Bits; 0 behind the end.
    std::uint64_t word(std::uint32_t w) const { return w < words_.size() ? words_[w] : 0; }
    bool operator==(const rank_set &) const = default;

private:
    std::vector<std::uint64_t> words_;
};

// How a blocked rank may go on.
struct blockage {
    void clear();
    // Takes no memory later.
    void reserve(std::uint32_t ranks);
    // Goes on when the receiver of a synchronous send has matched it.
    void add_match(std::uint32_t by, std::uint32_t number);

    rank_set waits_for;                 // a message from any of these lets it go on;
    std::uint32_t of_all = 0;           // if not 0: from any rank; there were so many of them;
    std::uint32_t hop = hop_of_message; // its clock is then so much above the sender's bound,
    clock_value least = 0;              // and at least this.
    clock_value candidate = forever;    // or a message with this stamp, which it has
    bool waits_for_match = false;       // or the match of a synchronous send:
    std::vector<std::uint32_t> sends;   // of those to each rank, the last one's number; 0: none

    std::uint32_t last_send(std::uint32_t to) const { return to < sends.size() ? sends[to] : 0; }

    bool operator==(const blockage &) const = default;
};

// The synchronous sends from one rank to another up to this number have been matched, or wait for
// receives that are still to be posted. Of those that were matched, `first_untold_match` or the
// ring tells whoever looks at them now, in this order.
std::uint32_t last_to_await_a_post(const world &of, std::uint32_t receiver, std::uint32_t sender);

// The time of the first match that the receiver has not told the sender of; `forever`: none. Looked
// at behind `last_to_await_a_post`.
clock_value first_untold_match(const world &of, std::uint32_t receiver, std::uint32_t sender);

// Wakes those who sleep until the bound of this rank has come so far. Acquire pairs with the
// releases in `clock_board::watch`.
void tell_watchers(const world &of, std::uint32_t whose, clock_value bound);

// Every later message of this rank has a stamp above this. A store and a load, unless somebody
// waits for it. For the rank itself, or whoever speaks for it to the ranks of this machine.
inline void publish_bound(const world &of, std::uint32_t whose, clock_value bound) {
    rank_record &record = of.rank(whose);
    // Release pairs with the acquire in `read`: all messages up to this bound are in the rings.
    record.bound.store(bound, std::memory_order_release);
    light_fence(of); // pairs with the heavy fence in `watch`
    // Relaxed: the fences order it.
    if (record.is_watched.load(std::memory_order_relaxed) != 0) [[unlikely]]
        tell_watchers(of, whose, bound);
}

class clock_board {
public:
    clock_board(world &of, std::uint32_t me);
    // read(rank) reads its counter; else it is the processor's.
    clock_board(world &of, std::uint32_t me, work_of_others::count_of read);

    // After each call that adds to the clock.
    void publish(clock_value bound) { publish_bound(of_, me_, bound); }

    // The published bounds. Drain the rings afterwards: what was sent up to these is there.
    void read(clock_bounds &out) const;

    // The same, and better ones for ranks that are blocked: what they wait for bounds them as well.
    // False in `all_stuck` if some rank can go on, or might.
    void snapshot(clock_bounds &out, bool *all_stuck = nullptr);

    // By -order work: looks how far those have computed whose bounds are not above what is needed.
    // Later snapshots know it.
    void learn_work(clock_value needed) { work_.learn(needed); }
    // When somebody will have computed so far, as `work_of_others::expected_at`.
    std::int64_t work_expected_at() const { return work_.expected_at(); }

    // What a snapshot sees of the first `ranks` ranks.
    wait_graph &look_at_all(std::uint32_t ranks);

    // Tells others that this rank is blocked, and what it has read; or no more. Others believe it
    // only while nothing is on its way to the rank that it has not read.
    void say_blocked(const blockage &why, const std::vector<in_ring> &in);
    void say_running();
    // Has told something else on which bounds depend: `rank_record::unmatched` or `untold`.
    void say_changed();

    // Whoever raises its bound to the threshold, or is blocked or no more, wakes this rank from now
    // on, once. The bit in the bell must be set before.
    void watch(clock_value threshold);

    clock_bounds fresh() const { return clock_bounds(of_.capacity()); }

private:
    void begin_change();
    void end_change();
    seen_rank look_at(std::uint32_t which, std::uint32_t ranks);
    bool is_on_its_way(std::uint32_t to) const;
    bool await_posts(std::uint32_t sender, clock_value &first) const;

    world &of_;
    std::uint32_t me_;
    bool says_blocked_ = false;
    blockage said_;
    std::uint32_t said_among_ = 0; // so many ranks
    std::vector<std::uint64_t> said_seen_;
    work_of_others work_;
    wait_graph seen_; // of the last snapshot, kept for its memory
};

} // namespace saguaro::mpi
