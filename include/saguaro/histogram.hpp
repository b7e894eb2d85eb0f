// SPDX-License-Identifier: MIT
// histogram: how often each of a range of bins was hit.
//
//     saguaro::reducer<saguaro::histogram<256>> bytes;
//     saguaro::parallel_for(text.begin(), text.end(), [&](unsigned char c) { ++(*bytes)[c]; });
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace saguaro {

// Counts in bins 0 to Bins-1; a view is a std::array<Count, Bins>. Count is a number, or anything
// else with an addition for which Count() is zero. A view that a steal makes takes Bins * sizeof(
// Count) bytes, and making and joining it are linear in Bins.
template <std::size_t Bins = std::dynamic_extent, typename Count = std::uint64_t>
struct histogram {
    using value_type = std::array<Count, Bins>;
    value_type identity() const { return value_type(); }
    void reduce(value_type &left, value_type &&right) const {
        for (std::size_t bin = 0; bin < Bins; ++bin)
            left[bin] += std::move(right[bin]);
    }
};

// Bins whose number the program finds out: given when the reducer is made, or growing with the bins
// that are hit. A view is a std::vector<Count>; of two that are joined, the longer one's length is
// the result's.
//
//     saguaro::reducer<saguaro::histogram<>> levels{saguaro::histogram<>(bins)};
template <typename Count>
struct histogram<std::dynamic_extent, Count> {
    using value_type = std::vector<Count>;

    explicit histogram(std::size_t bins = 0) : bins_(bins) {}

    value_type identity() const { return value_type(bins_); }

    void reduce(value_type &left, value_type &&right) const {
        if (left.size() < right.size())
            left.swap(right); // sums of counts do not depend on the order
        for (std::size_t bin = 0; bin < right.size(); ++bin)
            left[bin] += std::move(right[bin]);
    }

    // Adds to a bin, which is made with all below it if the view does not reach so far.
    static void count(value_type &view, std::size_t bin, Count amount = Count(1)) {
        if (bin >= view.size())
            view.resize(bin + 1);
        view[bin] += std::move(amount);
    }

private:
    std::size_t bins_;
};

} // namespace saguaro
