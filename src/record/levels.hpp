// SPDX-License-Identifier: MIT
// Which children are too fine to be heard of one by one: what the recorder does at each moment
// would be most of what they do. README.md, "Dozing", says what is done with them.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace saguaro::record {

// Children at one depth are taken to be like each other. Those that are very deep are not judged.
class levels {
public:
    // A child is short that takes less than `most` ticks.
    explicit levels(std::int64_t most) : most_(most) {}

    // It is fine if there is a moment in each so many ticks of it.
    void fine_below(std::int64_t least) { least_ = least; }

    // A child begins as the part number `depth` of those that are open; `moments` are noted so far.
    // Whether those before it were short and fine.
    bool begins(std::size_t depth, std::int64_t now, std::uint64_t moments) {
        if (depth >= all_.size())
            return false;
        level &l = all_[depth];
        l.since = now;
        l.moments = moments;
        l.dozes = false;
        return l.score >= trusted;
    }

    // The child that runs at this depth, for which `begins` was true, is not listened to. So many
    // calls in it would take as long as four short ones, if they are like earlier ones.
    std::uint32_t dozes(std::size_t depth) {
        all_[depth].dozes = true;
        return calls_;
    }

    // It was not until now, for so many calls.
    void dozed(std::size_t depth, std::int64_t now, std::uint32_t calls) {
        if (calls < enough_calls)
            return;
        // Ticks of which others had the processor are taken off, which is not exact.
        ticks_ += std::max<std::int64_t>(now - all_[depth].since, 1) - ticks_ / memory;
        counted_ += calls - counted_ / memory;
        calls_ = static_cast<std::uint32_t>(
            std::clamp<std::int64_t>(4 * most_ * counted_ / ticks_, fewest_calls, most_calls));
    }

    // Something in it is to be heard.
    void woken(std::size_t depth) {
        level &l = all_[depth];
        l.dozes = false;
        l.score = worst;
    }

    // The child at this depth has ended.
    void ends(std::size_t depth, std::int64_t now, std::uint64_t moments) {
        if (depth >= all_.size())
            return;
        level &l = all_[depth];
        const auto took = now - l.since;
        const auto inside = static_cast<std::int64_t>(moments - l.moments);
        if (took >= most_)
            l.score = std::max(l.score - penalty, worst);
        else if (l.dozes || took < inside * least_)
            l.score = std::min(l.score + 1, best);
        else if (inside != 0)
            l.score = std::max(l.score - 1, worst);
    }

private:
    struct level {
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

    // What is known of calls.
    static constexpr std::uint32_t enough_calls = 16;
    static constexpr std::int64_t memory = 8;
    static constexpr std::int64_t fewest_calls = 64;
    static constexpr std::int64_t most_calls = 1 << 20;

    std::array<level, 512> all_;
    const std::int64_t most_;
    std::int64_t least_ = 0;
    // Of the last children that were not listened to: how long, for how many calls.
    std::int64_t ticks_ = 1;
    std::int64_t counted_ = 0;
    std::uint32_t calls_ = fewest_calls;
};

} // namespace saguaro::record
