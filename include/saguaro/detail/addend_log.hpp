// SPDX-License-Identifier: MIT
// Addends that wait for what precedes them, in order.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <list>
#include <utility>
#include <vector>

namespace saguaro::detail {

// `x`, as it would be if it came from memory: a compiler that may fuse a multiplication with an
// addition would otherwise round an addend that is added at once unlike one that is logged first.
template <std::floating_point T>
T rounded(T x) {
#if defined(__x86_64__)
    if constexpr (sizeof(T) <= 8)
        __asm__("" : "+x"(x));
    else
        __asm__("" : "+m"(x));
#elif defined(__aarch64__)
    __asm__("" : "+w"(x));
#else
    __asm__("" : "+m"(x));
#endif
    return x;
}

// Addends that wait, in order. A push is amortized constant; appending another log is constant.
template <typename T>
class addend_log {
public:
    void push(T x) {
        if (blocks_.empty() || blocks_.back().size() == blocks_.back().capacity())
            grow();
        blocks_.back().push_back(x);
    }

    void append(addend_log &&later) { blocks_.splice(blocks_.end(), later.blocks_); }

    void clear() { blocks_.clear(); }

    std::size_t size() const {
        std::size_t sum = 0;
        for (const std::vector<T> &block : blocks_)
            sum += block.size();
        return sum;
    }

    // sum + first + second + ..., rounded after each.
    T added_to(T sum) const {
        for (const std::vector<T> &block : blocks_)
            for (const T x : block)
                sum += x;
        return sum;
    }

private:
    // Small for a strand that adds little; large enough that allocating is not what it costs.
    static constexpr std::size_t least = 64, greatest = 16384;

    void grow() {
        const std::size_t size =
            blocks_.empty() ? least : std::clamp(2 * blocks_.back().capacity(), least, greatest);
        std::vector<T> block;
        block.reserve(size);
        blocks_.push_back(std::move(block));
    }

    std::list<std::vector<T>> blocks_;
};

} // namespace saguaro::detail
