// SPDX-License-Identifier: MIT
// Which earlier strands are parallel to the one that runs, in a serial, depth-first run.
//
// Each spawned child gets the next number; a called function goes on under its caller's. All
// numbers given out so far are cut into segments, in ascending order, each of which is serial or
// parallel to the strand that runs. These are the bags of SP-bags (Feng and Leiserson), kept as
// intervals: because the run is depth-first, a bag of a frame on the stack is a run of neighbouring
// numbers, or a few runs where a called function has spawned between two spawns of its caller. So
// there is no union-find, and nothing is kept of strands that have ended.
//
//     a frame begins    a serial segment is pushed, the frame's base
//     a child ends      all from its base on is one parallel segment of its parent's frame
//     a sync            all from the frame's base on is one serial segment
//     a call ends       as a sync, and the segment is its caller's
//
// A question is a search among at most as many segments as there are open frames and their parallel
// segments.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace saguaro::race {

// A strand's number; 0: none.
using strand = std::uint32_t;

class order {
public:
    order() {
        segments_.reserve(1 << 10);
        frames_.reserve(1 << 10);
        segments_.push_back({0, false}); // none is serial to all
        frames_.push_back({1, 0});
    }

    // The strand that runs.
    strand current() const { return frames_.back().self; }

    // How many frames are open.
    std::size_t depth() const { return frames_.size(); }

    // The number of the next child.
    strand next() const { return next_; }

    strand begin_child() {
        const strand self = next_++;
        push_frame(self, self);
        return self;
    }

    void end_child() {
        const std::uint32_t base = close_frame();
        segments_[base].parallel = true;
        join_neighbours();
    }

    // A call's first child will be the next one.
    void begin_call() { push_frame(next_, current()); }

    void end_call() {
        const std::uint32_t base = close_frame();
        segments_[base].parallel = false;
        if (segments_[base].first == next_)
            segments_.pop_back(); // it has spawned nothing
        else
            join_neighbours();
    }

    void sync() { segments_.resize(frames_.back().base + 1); }

    // Neighbouring strands, [first, first + count), that are alike.
    struct kin {
        strand first = 0;
        strand count = 0;
        bool parallel = false;

        bool holds(strand s) const { return s - first < count; }
    };

    // Whether `earlier`, which has run, is parallel to what runs now, and its neighbours with it.
    kin find(strand earlier) const {
        // Most often it is one of the youngest.
        constexpr int youngest = 6;
        std::size_t low = 0;
        std::size_t high = segments_.size();
        for (int n = 0; n < youngest && high > 1; ++n, --high)
            if (segments_[high - 1].first <= earlier) {
                low = high - 1;
                break;
            }
        while (high - low > 1) {
            const std::size_t middle = (low + high) / 2;
            (segments_[middle].first <= earlier ? low : high) = middle;
        }
        const strand end = low + 1 < segments_.size() ? segments_[low + 1].first : next_;
        return {segments_[low].first, end - segments_[low].first, segments_[low].parallel};
    }

private:
    struct segment {
        strand first;
        bool parallel;
    };
    struct frame {
        strand self;
        std::uint32_t base; // its first segment
    };

    void push_frame(strand first, strand self) {
        segments_.push_back({first, false});
        frames_.push_back({self, static_cast<std::uint32_t>(segments_.size() - 1)});
    }

    // All that the frame has is one segment then. Returns it.
    std::uint32_t close_frame() {
        sync();
        const std::uint32_t base = frames_.back().base;
        frames_.pop_back();
        return base;
    }

    // The last two segments become one if they are alike and of one frame.
    void join_neighbours() {
        const std::size_t last = segments_.size() - 1;
        if (last > frames_.back().base && segments_[last].parallel == segments_[last - 1].parallel)
            segments_.pop_back();
    }

    std::vector<segment> segments_;
    std::vector<frame> frames_;
    strand next_ = 2;
};

} // namespace saguaro::race
