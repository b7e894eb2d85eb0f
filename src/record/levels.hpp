// SPDX-License-Identifier: MIT
// Which children are too fine to be heard of one by one: what the recorder does at each moment
// would be most of what they do. README.md, "Dozing", says what is done with them.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace saguaro::record {

// Children that one place in the program spawns at one depth are taken to be like each other. Those
// that are very deep are not judged.
class levels {
public:
    // A child is short that takes less than `most` ticks.
    explicit levels(std::int64_t most) : most_(most) { all_.reserve(deepest); }

    // It is fine if there is a moment in each so many ticks of it.
    void fine_below(std::int64_t least) { least_ = least; }

    // A child begins as the part number `depth` of those that are open; `moments` are noted so far.
    // Whether those before it were short and fine.
    bool begins(std::size_t depth, const void *site, std::int64_t now, std::uint64_t moments) {
        if (depth >= deepest)
            return false;
        while (all_.size() <= depth)
            all_.emplace_back();
        level &l = level_of(all_[depth], site);
        all_[depth].open = &l;
        l.since = now;
        l.moments = moments;
        l.dozes = false;
        return l.score >= trusted;
    }

    // The child that runs at this depth, for which `begins` was true, is not listened to.
    void dozes(std::size_t depth) { open(depth).dozes = true; }

    // Whether that may go on, for all that is known of it: it is not much longer than a short one.
    bool may_doze(std::size_t depth, std::int64_t now) const {
        return now - open(depth).since < most_ * much;
    }

    // Something in it is to be heard.
    void woken(std::size_t depth) {
        open(depth).dozes = false;
        open(depth).score = worst;
    }

    // The child at this depth has ended.
    void ends(std::size_t depth, std::int64_t now, std::uint64_t moments) {
        if (depth >= deepest)
            return;
        level &l = open(depth);
        const auto took = now - l.since;
        const auto inside = static_cast<std::int64_t>(moments - l.moments);
        if (took >= most_)
            l.score = std::max(l.score - (took < most_ * much ? 1 : 2) * penalty, worst);
        else if (l.dozes || took < inside * least_)
            l.score = std::min(l.score + 1, best);
        else if (inside != 0)
            l.score = std::max(l.score - 1, worst);
    }

private:
    struct level {
        const void *site = nullptr;
        std::int64_t since = 0;
        std::uint64_t moments = 0;
        int score = 0;
        bool dozes = false;
    };

    // A level is trusted after so many that were short and fine, and while four of five are.
    static constexpr int trusted = 4;
    static constexpr int best = 8;
    static constexpr int worst = -16;
    static constexpr int penalty = 4;

    // So many short children are much.
    static constexpr std::int64_t much = 4;

    static constexpr std::size_t deepest = 512;
    // For each depth the table has the sites that spawned last, so many of them.
    static constexpr std::size_t sites = 8;
    struct row {
        std::array<level, sites> all;
        level *open = nullptr; // the child that runs
    };

    static level &level_of(row &r, const void *site) {
        level *oldest = &r.all[0];
        for (level &l : r.all) {
            if (l.site == site)
                return l;
            if (l.since < oldest->since)
                oldest = &l;
        }
        return *oldest = {.site = site};
    }

    level &open(std::size_t depth) { return *all_[depth].open; }
    const level &open(std::size_t depth) const { return *all_[depth].open; }

    // Rows are made as the tree gets deeper. There is room for all of them from the beginning, so
    // they stay where they are, and the system gives only the pages that have rows.
    std::vector<row> all_;
    const std::int64_t most_;
    std::int64_t least_ = 0;
};

} // namespace saguaro::record
