// SPDX-License-Identifier: MIT
// The results that the strands of a loop hand in at their ends.
#pragma once

#include "saguaro/detail/cxx20.hpp"

#include "saguaro/detail/race_names.h"
#if SG_RACE
#include "saguaro/detail/race_calls.hpp"
#endif

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <mutex>
#include <utility>
#include <vector>

namespace saguaro::detail {

// What the strands of one loop have computed, each for the steps from `first` on. There are as many
// as there were steals, and one more.
template <class T>
class loop_results {
public:
    struct result {
        std::uint64_t first;
        T value;
    };

    // Any thread.
    void add(std::uint64_t first, T &&value) {
#if SG_RACE
        const race_break here;
#endif
        const std::lock_guard<std::mutex> guard(lock_);
        results_.push_back({first, std::move(value)});
    }

    // All of them, in the order of the steps. Only when the loop has ended.
    std::vector<result> &sorted() {
        std::sort(results_.begin(), results_.end(),
                  [](const result &a, const result &b) { return a.first < b.first; });
        return results_;
    }

    // The one of `sorted` that the step `step` belongs to, which is not before the first.
    static const result &at(const std::vector<result> &sorted, std::uint64_t step) {
        return *std::prev(
            std::upper_bound(sorted.begin(), sorted.end(), step,
                             [](std::uint64_t s, const result &r) { return s < r.first; }));
    }

private:
    std::mutex lock_;
    std::vector<result> results_;
};

} // namespace saguaro::detail
