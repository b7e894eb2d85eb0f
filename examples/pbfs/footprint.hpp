// SPDX-License-Identifier: MIT
// Footprints of a strand on an array, for recordings (saguaro/record.h).
#pragma once

#include <saguaro/record.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace saguaro::pbfs {

/// The array is an object from now on.
template <typename T>
void declare_object(std::span<const T> array) {
    sg_record_object(array.data(), array.size_bytes());
    sg_record_reuse(array.data(), 1);
}

/// Pieces of one array, in any order. Cache lines that are named several times count once.
class footprint {
public:
    template <typename T>
    void add(std::span<const T> piece) {
        const auto begin = reinterpret_cast<std::uintptr_t>(piece.data());
        if (!piece.empty())
            pieces_.emplace_back(begin, begin + piece.size_bytes());
    }

    /// The strand touches them, and does not find them in the cache.
    void declare() {
        constexpr std::uintptr_t line = 64;
        std::sort(pieces_.begin(), pieces_.end());
        for (auto at = pieces_.begin(); at != pieces_.end();) {
            auto [begin, end] = *at;
            for (; at != pieces_.end() && at->first / line <= (end - 1) / line; ++at)
                end = std::max(end, at->second);
            sg_record_touch(reinterpret_cast<const void *>(begin), end - begin);
        }
    }

private:
    std::vector<std::pair<std::uintptr_t, std::uintptr_t>> pieces_;
};

} // namespace saguaro::pbfs
