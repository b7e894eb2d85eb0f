// SPDX-License-Identifier: MIT
// A loop that carries a sum from block to block, and goes over stolen blocks a second time.
#pragma once

#include "saguaro/detail/cxx20.hpp"

#include "saguaro/detail/loop.hpp"
#include "saguaro/detail/loop_results.hpp"
#include "saguaro/detail/strand_node.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

namespace saguaro::detail {

// The first strand writes its blocks at once, because it knows the sum before each. The other
// strands only add up their blocks, which a second loop writes when all strands have ended.
template <class I, class T, class Op, class Sum, class Write>
class scan_blocks_loop {
public:
    scan_blocks_loop(I first, I last, T init, Op &op, Sum &sum, Write &write, std::uint64_t least)
        : first_(first), total_(std::move(init)), op_(op), sum_(sum), write_(write),
          cut_(detail::distance(first, last), least) {}

    // All of it on workers, the second loop as well.
    T run() {
        saguaro::run([this] {
            const descend here; // one strand, whether there is a second loop or not
            const auto make = [this] { return part{*this, 0, {}, false}; };
            run_loop(cut_.count, make);
            auto &stolen = stolen_.sorted();
            if (!stolen.empty()) {
                for (strand &s : stolen) {
                    s.value.before = total_;
                    total_ = combine(std::move(total_), std::move(s.value.sums.back()));
                }
                write_stolen(stolen);
            }
        });
        return std::move(total_);
    }

private:
    // Of a strand that was stolen.
    struct stolen_blocks {
        std::vector<T> sums;     // of its first block, of its first two, and so on
        std::optional<T> before; // the sum of all that comes before its first block, in the end
    };
    using strands = loop_results<stolen_blocks>;
    using strand = typename strands::result;

    struct part {
        scan_blocks_loop &loop;
        std::uint64_t first_block;
        std::vector<T> sums;
        bool begun;

        void operator()(std::uint64_t block) {
            if (!begun) {
                begun = true;
                first_block = block;
            }
            if (first_block == 0)
                loop.write_block(block, loop.total_);
            else
                loop.sum_block(block, sums);
        }
        // A part that was cancelled before its first block has nothing to hand in.
        void finish() {
            if (begun && first_block != 0)
                loop.stolen_.add(first_block, {std::move(sums), std::nullopt});
        }
    };

    T combine(T &&left, T &&right) {
        return static_cast<T>(call(op_, std::move(left), std::move(right)));
    }

    // Writes a block that comes after elements with the sum `sum`, and adds its own to this.
    void write_block(std::uint64_t block, T &sum) {
        sum = static_cast<T>(
            call(write_, place(cut_.begin(block)), place(cut_.end(block)), std::move(sum)));
    }

    void sum_block(std::uint64_t block, std::vector<T> &sums) {
        T own(operand<T>(call(sum_, place(cut_.begin(block)), place(cut_.end(block)))));
        sums.push_back(sums.empty() ? std::move(own) : combine(T(sums.back()), std::move(own)));
    }

    void write_stolen(const std::vector<strand> &stolen) {
        const std::uint64_t written = stolen.front().first;
        struct second_part {
            scan_blocks_loop &loop;
            const std::vector<strand> &stolen;
            std::uint64_t written;

            void operator()(std::uint64_t offset) {
                loop.write_stolen_block(written + offset, stolen);
            }
            void finish() {}
        };
        const auto make = [&] { return second_part{*this, stolen, written}; };
        run_loop(cut_.count - written, make);
    }

    void write_stolen_block(std::uint64_t block, const std::vector<strand> &stolen) {
        const strand &taken_by = strands::at(stolen, block);
        const std::vector<T> &sums = taken_by.value.sums;
        const auto offset = static_cast<std::size_t>(block - taken_by.first);
        T sum(*taken_by.value.before);
        if (offset != 0)
            sum = combine(std::move(sum), T(sums[offset - 1]));
        write_block(block, sum);
    }

    I place(std::uint64_t step) const { return advanced(first_, step); }

    const I first_;
    T total_; // the sum of the blocks that are written; of all elements once the loop is over
    Op &op_;
    Sum &sum_;
    Write &write_;
    const blocks cut_;
    strands stolen_;
};

template <class Op, class T, class Sum, class Write, class I>
concept scans_blocks = takes_blocks<Sum, I> && combines<Op, T> &&
                       std::is_constructible_v<T, std::invoke_result_t<Sum &, I, I>> &&
                       std::is_invocable_r_v<T, Write &, I, I, T>;

template <class Op, class T, class Sum, class Write, class I>
constexpr void check_scan_blocks() {
    check_blocks<Sum, I>();
    check_combines<Op, T>();
    if constexpr (takes_blocks<Sum, I>) {
        static_assert(std::is_constructible_v<T, std::invoke_result_t<Sum &, I, I>>,
                      "saguaro: the sum of a block cannot become a value of the type of init");
        static_assert(std::is_invocable_r_v<T, Write &, I, I, T>,
                      "saguaro: the last function must take the two bounds of a block and the sum "
                      "before it, and return the sum after it");
    }
}

} // namespace saguaro::detail
