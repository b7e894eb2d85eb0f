// SPDX-License-Identifier: MIT
// What a rank knows of the clocks of others, and tells of its own: ../README.md, "Bounds".
#pragma once

#include "detmpi/core/rings.hpp"
#include "detmpi/core/world.hpp"

#include <cstdint>
#include <vector>

namespace saguaro::detmpi {

// A set of ranks.
class rank_set {
public:
    explicit rank_set(std::uint32_t ranks) : words_((ranks + 63) / 64) {}

    void clear() {
        for (std::uint64_t &word : words_)
            word = 0;
    }
    void add(std::uint32_t which) { words_[which / 64] |= std::uint64_t{1} << (which % 64); }
    void remove(std::uint32_t which) { words_[which / 64] &= ~(std::uint64_t{1} << (which % 64)); }
    bool has(std::uint32_t which) const { return (words_[which / 64] >> (which % 64) & 1) != 0; }
    const std::vector<std::uint64_t> &words() const { return words_; }
    bool operator==(const rank_set &) const = default;

private:
    std::vector<std::uint64_t> words_;
};

// How a blocked rank may go on.
struct blockage {
    explicit blockage(std::uint32_t ranks) : waits_for(ranks) {}

    rank_set waits_for;                 // a message from any of these lets it go on;
    std::uint32_t hop = hop_of_message; // its clock is then so much above the sender's bound,
    clock_value least = 0;              // and at least this.
    clock_value candidate = forever;    // or a message with this stamp, which it has
    std::uint32_t sends = 0;            // the number of the synchronous send
    bool waits_for_match = false;       // that it waits for

    bool operator==(const blockage &) const = default;
};

// Of each rank, a clock above which all stamps of its future messages are.
using clock_bounds = std::vector<clock_value>;

class clock_board {
public:
    clock_board(world &of, std::uint32_t me);

    // Every later message of this rank has a stamp above this. After each call that adds to the
    // clock. A store and a load, unless somebody waits for it.
    void publish(clock_value bound) {
        rank_record &mine = of_.rank(me_);
        // Release pairs with the acquire in `read`: all messages up to this bound are in the rings.
        mine.bound.store(bound, std::memory_order_release);
        of_.light_fence(); // pairs with the heavy fence in `watch`
        // Relaxed: the fences order it.
        if (mine.is_watched.load(std::memory_order_relaxed) != 0) [[unlikely]]
            tell_watchers(bound);
    }

    // The published bounds. Drain the rings afterwards: what was sent up to these is there.
    void read(clock_bounds &out) const;

    // The same, and better ones for ranks that are blocked: what they wait for bounds them as well.
    // False in `all_stuck` if some rank can go on, or might.
    void snapshot(clock_bounds &out, bool *all_stuck = nullptr);

    // Tells others that this rank is blocked, and what it has read; or no more. Others believe it
    // only while nothing is on its way to the rank that it has not read.
    void say_blocked(const blockage &why, const std::vector<in_ring> &in);
    void say_running();

    // Whoever raises its bound to the threshold, or is blocked or no more, wakes this rank from now
    // on, once. The bit in the bell must be set before.
    void watch(clock_value threshold);

    clock_bounds fresh() const { return clock_bounds(of_.size()); }

private:
    struct seen_rank {
        std::uint64_t epoch = 0;
        clock_value bound = 0;
        clock_value least = 0;
        clock_value candidate = forever;
        std::uint32_t hop = 0;
        bool is_blocked = false; // and what follows from that holds
    };

    void tell_watchers(clock_value bound);
    seen_rank look_at(std::uint32_t which) const;
    bool is_on_its_way(std::uint32_t to) const;
    bool waits(std::uint32_t which, std::uint32_t for_whom) const;

    world &of_;
    std::uint32_t me_;
    bool says_blocked_ = false;
    blockage said_;
    std::vector<std::uint64_t> said_seen_;
    std::vector<seen_rank> seen_; // of the last snapshot, kept for its memory
    std::vector<bool> settled_;
};

} // namespace saguaro::detmpi
