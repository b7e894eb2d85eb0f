// SPDX-License-Identifier: MIT
// Bounds that follow from whom blocked ranks wait for: ../../README.md, "Bounds".
#pragma once

#include "mpi/core/world/layout.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace saguaro::mpi {

// Of each rank, a clock above which all stamps of its future messages are.
using clock_bounds = std::vector<clock_value>;

// What was seen of a rank, of which the bounds follow.
struct seen_rank {
    std::uint64_t epoch = 0;
    clock_value bound = 0;
    clock_value least = 0;
    clock_value candidate = forever;
    std::uint32_t hop = 0;
    bool is_blocked = false; // with nothing on its way: the rest holds
};

// Who waits for whom. At one moment, or at one of each rank such that a blocked rank has read
// whatever those that it waits for had sent when they were seen.
class wait_graph {
public:
    explicit wait_graph(std::uint32_t capacity)
        : most_words_((capacity + 63) / 64), words_(most_words_), ranks_(capacity),
          waits_(std::size_t{capacity} * most_words_) {
        unsettled_.reserve(capacity);
    }

    // From now on it is of the first `ranks` ranks. What they wait for besides is not looked at.
    void begin(std::uint32_t ranks) { words_ = (ranks + 63) / 64; }

    seen_rank &operator[](std::uint32_t which) { return ranks_[which]; }
    const seen_rank &operator[](std::uint32_t which) const { return ranks_[which]; }
    // Bits: for whom it waits, if it is blocked.
    std::uint64_t *waits_of(std::uint32_t which) {
        return &waits_[std::size_t{which} * most_words_];
    }
    const std::uint64_t *waits_of(std::uint32_t which) const {
        return &waits_[std::size_t{which} * most_words_];
    }

    // Whether is(x) of any rank for which it waits.
    template <class Is>
    bool any_waited_for(std::uint32_t which, Is is) const {
        const std::uint64_t *const set = waits_of(which);
        for (std::uint32_t w = 0; w < words_; ++w)
            for (std::uint64_t bits = set[w]; bits != 0; bits &= bits - 1)
                if (is(w * 64 + static_cast<std::uint32_t>(std::countr_zero(bits))))
                    return true;
        return false;
    }

    // The bounds of the first `ranks` ranks. `forever` for one that can never go on.
    void derive(std::uint32_t ranks, clock_bounds &out);

private:
    bool waits(std::uint32_t which, std::uint32_t for_whom) const {
        return (waits_of(which)[for_whom / 64] >> (for_whom % 64) & 1) != 0;
    }

    std::uint32_t most_words_;
    std::uint32_t words_; // of the sets of the ranks that there are
    std::vector<seen_rank> ranks_;
    std::vector<std::uint64_t> waits_;
    std::vector<std::uint32_t> unsettled_; // kept for its memory
};

} // namespace saguaro::mpi
