// SPDX-License-Identifier: MIT
// histogram: how often each of a range of bins was hit.
//
//     saguaro::reducer<saguaro::histogram<256>> bytes;
//     saguaro::parallel_for(text.begin(), text.end(), [&](unsigned char c) { ++(*bytes)[c]; });
#pragma once

#include "saguaro/detail/cxx20.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace saguaro {

// Counts in bins 0 to Bins-1; a view is a std::array<Count, Bins>. Count is a number, or another
// type with an addition for which Count() is zero. A view that a steal makes takes Bins *
// sizeof(Count) bytes. To make it and to join it takes time linear in Bins.
template <std::size_t Bins = std::dynamic_extent, typename Count = std::uint64_t>
struct histogram {
    using value_type = std::array<Count, Bins>;
    value_type identity() const { return value_type(); }
    void reduce(value_type &left, value_type &&right) const {
        for (std::size_t bin = 0; bin < Bins; ++bin)
            left[bin] += std::move(right[bin]);
    }
};

// Bins whose number is known only at run time: the program gives it when it makes the reducer, or
// the bins grow with the hits. A view is a std::vector<Count>. Of two views that are joined, the
// length of the longer one is the result's.
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

    // Adds to a bin. If the view does not reach so far, makes the bin and all below it.
    static void count(value_type &view, std::size_t bin, Count amount = Count(1)) {
        if (bin >= view.size())
            view.resize(bin + 1);
        view[bin] += std::move(amount);
    }

private:
    std::size_t bins_;
};

} // namespace saguaro
