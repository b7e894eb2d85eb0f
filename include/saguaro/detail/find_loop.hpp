// SPDX-License-Identifier: MIT
// A loop over blocks that ends at the serially first match.
#pragma once

#include "saguaro/detail/first_error.hpp"
#include "saguaro/detail/loop.hpp"

#include <atomic>
#include <cstdint>
#include <exception>

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

} // namespace saguaro::detail
