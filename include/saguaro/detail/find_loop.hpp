// SPDX-License-Identifier: MIT
// A loop over blocks that ends at the serially first match.
#pragma once

#include "saguaro/detail/first_error.hpp"
#include "saguaro/detail/loop.hpp"

#include <algorithm>
#include <atomic>
#include <concepts>
#include <cstdint>
#include <exception>
#include <iterator>
#include <type_traits>
#include <utility>

namespace saguaro::detail {

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
        SG_TRY {
            const std::uint64_t match = search_(cut_.begin(block), cut_.end(block));
            if (match == cut_.end(block))
                return true;
            lower(match_, match);
        }
        SG_CATCH_ALL {
            error_.offer(block, caught_error());
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

// The first place in [first, last) that search(from, to) returns for a block, or `last`.
template <class I, class Search>
I find_place(I first, I last, Search &&search, std::uint64_t least) {
    const std::uint64_t n = distance(first, last);
    return saguaro::run([&] {
        std::uint64_t window = std::max(first_find_window, 16 * least);
        for (std::uint64_t done = 0; done != n; window *= 2) {
            window = std::min(window, n - done);
            const auto in_window = [&](std::uint64_t begin, std::uint64_t end) {
                const I from = advanced(first, done + begin);
                const I to = advanced(first, done + end);
                return begin + distance(from, static_cast<I>(search(from, to)));
            };
            find_loop<const decltype(in_window)> loop(blocks(window, least), in_window);
            const std::uint64_t found = loop.run();
            if (found != window)
                return advanced(first, done + found);
            done += window;
        }
        return last;
    });
}

// Whether an element equals what is looked for. A class of its own, for what == warns of when it
// compares floating point numbers is asked for here.
template <class T>
struct equals {
    const T &value;

    template <class E>
        requires requires(const E &element, const T &wanted) { element == wanted; }
    bool operator()(const E &element) const {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wfloat-equal"
        return static_cast<bool>(element == value);
#pragma GCC diagnostic pop
    }
};

template <class I, class Match>
concept matches = takes_each<Match, I> && std::is_invocable_r_v<bool, Match &, passed<I>>;

template <class I, class Match>
constexpr void check_match() {
    check_bounds<I>();
    if constexpr (place_to_start<I>)
        static_assert(
            holds<matches<I, Match>>,
            "saguaro: what is looked for cannot be compared with, or called with, an index "
            "or what the iterators point at");
}

template <class I, class Search>
concept searches = place_to_start<I> && std::is_invocable_r_v<I, Search &, I, I>;

template <class I, class Search>
constexpr void check_search() {
    check_bounds<I>();
    if constexpr (place_to_start<I>)
        static_assert(
            holds<searches<I, Search>>,
            "saguaro: the search must take the two bounds of a block and return one place");
}

template <class R>
constexpr void check_outlives() {
    static_assert(
        holds<requires(R &&range) { std::ranges::begin(std::forward<R>(range)); }>,
        "saguaro: the result would point into a range that is gone: name the range first");
}

} // namespace saguaro::detail
