// SPDX-License-Identifier: MIT
// Work and span of a serial run, from its events: what a measurement has in the place of a file.
#pragma once

#include "record/pile.hpp"

#include <algorithm>
#include <cstdint>

namespace saguaro::record {

// A child begins at the path of its spawn, and what comes after the spawn does so as well. A sync,
// and the end of each part, goes on with the longer one.
class spans {
public:
    // A strand has worked for that long.
    void add(std::int64_t piece) { path_ += piece; }

    void begin(bool is_child) {
        part &p = open_.push();
        p.is_child = is_child;
        p.path = path_;
        p.longest = 0;
    }
    void sync() { path_ = std::max(path_, open_.back().longest); }
    void end() {
        sync();
        const part p = open_.back();
        open_.pop();
        if (!p.is_child)
            return;
        std::int64_t &longest = open_.back().longest;
        longest = std::max(longest, path_);
        path_ = p.path;
    }

    // The longest path from the start to the strand that runs.
    std::int64_t path() const { return path_; }

private:
    struct part {
        bool is_child;
        std::int64_t path;    // at its begin
        std::int64_t longest; // to the end of one of its children
    };

    std::int64_t path_ = 0;
    pile<part> open_;
};

} // namespace saguaro::record
