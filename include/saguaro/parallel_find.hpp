// SPDX-License-Identifier: MIT
// Searching a range for the first match, in parallel.
#pragma once

#include "saguaro/detail/first_error.hpp"
#include "saguaro/parallel_for.hpp"

#include <algorithm>
#include <atomic>
#include <concepts>
#include <cstdint>
#include <exception>
#include <functional>
#include <iterator>

namespace saguaro {

namespace detail {

// Searches blocks with search(begin, end), which returns the first match there, or `end`. A match
// or an exception ends the serial search. The loop notes it with its block, and no worker goes on
// to a block behind the first one noted.
template <class Search>
class find_loop {
public:
    find_loop(const blocks &cut, Search &search)
        : cut_(cut), search_(search), last_block_(cut.count), match_(cut.steps) {}

    // The first match, or the number of steps.
    std::uint64_t run() {
        const auto make = [this] { return part{*this}; };
        run_loop(cut_.count, make);
        // Relaxed: the strands have been joined.
        const std::uint64_t block = last_block_.load(std::memory_order_relaxed);
        const std::uint64_t match = match_.load(std::memory_order_relaxed);
        // A match behind the block that ended the search: that one had an exception.
        if (block != cut_.count && match >= cut_.end(block))
            error_.rethrow();
        return match;
    }

private:
    struct part {
        find_loop &loop;

        bool operator()(std::uint64_t block) { return loop.look_into(block); }
        void finish() {}
    };

    // Whether blocks behind this one are to be searched.
    bool look_into(std::uint64_t block) {
        // Relaxed: an old value costs a block's search, and the answer is the same.
        if (block >= last_block_.load(std::memory_order_relaxed))
            return false;
        try {
            const std::uint64_t match = search_(cut_.begin(block), cut_.end(block));
            if (match == cut_.end(block))
                return true;
            lower(match_, match);
        } catch (...) {
            error_.offer(block, std::current_exception());
        }
        lower(last_block_, block);
        return false;
    }

    static void lower(std::atomic<std::uint64_t> &least, std::uint64_t value) {
        // Relaxed, both: only the number counts, and it only falls.
        std::uint64_t seen = least.load(std::memory_order_relaxed);
        while (value < seen && !least.compare_exchange_weak(seen, value, std::memory_order_relaxed))
            ;
    }

    const blocks cut_;
    Search &search_;
    std::atomic<std::uint64_t> last_block_; // where the search ends; the number of blocks: nowhere
    std::atomic<std::uint64_t> match_;      // the first one known
    first_error error_;
};

// The length of the first window of parallel_find_if. Each window is twice as long as the one
// before.
inline constexpr std::uint64_t first_find_window = 16384;

} // namespace detail

// The first element of [first, last) for which `match` is true, as std::find_if finds it, or `last`
// if there is none. Calls match(*i) for random access iterators and match(i) for integers. The
// result is the first match in the serial order, on any number of workers.
//
// The search proceeds in windows: the first has 16384 elements (or 16 blocks, if that is more), and
// each following one twice as many. The workers share a window. So p workers find a match in the
// middle of the range up to p times as fast. If a serial search looks at n elements, this one looks
// at no more than 2n + 16384 (or 32 g) elements. Within a window workers take blocks of at least
// `g` elements, as in parallel_for_blocks. A worker stops when it has ended a block behind a match.
// One worker looks at exactly the elements of the serial search.
//
// If `match` throws, the exception leaves if the serial search would have met it, that is, if no
// match comes before it; of several exceptions the first one leaves. In a cancelled scope a match
// may be missed. A thread outside of any worker enters one, as by `run`.
template <loop_index I, class Match>
I parallel_find_if(I first, I last, Match &&match, grain g = {}) {
    const std::uint64_t n = detail::distance(first, last);
    const auto search = [&](std::uint64_t begin, std::uint64_t end) {
        if constexpr (std::integral<I>) {
            while (begin != end && !match(detail::advanced(first, begin)))
                ++begin;
            return begin;
        } else {
            const I from = detail::advanced(first, begin);
            const I at = std::find_if(from, detail::advanced(first, end), std::ref(match));
            return begin + detail::distance(from, at);
        }
    };
    return saguaro::run([&] {
        std::uint64_t window = std::max(detail::first_find_window, 16 * g.iterations);
        for (std::uint64_t done = 0; done != n; window *= 2) {
            window = std::min(window, n - done);
            const auto in_window = [&](std::uint64_t begin, std::uint64_t end) {
                return search(done + begin, done + end) - done;
            };
            const std::uint64_t found =
                detail::find_loop(detail::blocks(window, g), in_window).run();
            if (found != window)
                return detail::advanced(first, done + found);
            done += window;
        }
        return last;
    });
}

// The first element of [first, last) that equals `value`. All else is as in parallel_find_if.
template <std::random_access_iterator I, class T>
    requires std::equality_comparable_with<std::iter_reference_t<I>, const T &>
I parallel_find(I first, I last, const T &value, grain g = {}) {
    return parallel_find_if(first, last, [&](const auto &element) { return element == value; }, g);
}

} // namespace saguaro
