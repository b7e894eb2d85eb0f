// SPDX-License-Identifier: MIT
// A loop over blocks that writes prefix sums, and adds to those of stolen parts what precedes them.
#pragma once

#include "saguaro/detail/loop.hpp"
#include "saguaro/detail/loop_results.hpp"
#include "saguaro/detail/strand_node.hpp"

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace saguaro::detail {

enum class scan_kind { inclusive, exclusive };

// Each strand writes the prefix sums of its own blocks. Those of the first strand are final. The
// others lack what comes before their first block, and a second loop adds that. So elements that
// nobody has stolen are visited once.
template <scan_kind kind, class In, class Out, class T, class Op>
class scan_loop {
public:
    scan_loop(In first, In last, Out out, Op &op, std::optional<T> init, std::uint64_t least)
        : first_(first), out_(out), op_(op), init_(std::move(init)),
          cut_(detail::distance(first, last), least) {}

    // All of it on workers, the carries as well.
    Out run() {
        saguaro::run([this] {
            const descend here; // one strand, whether there is a second loop or not
            const auto make = [this] { return part{*this, 0, std::nullopt, false}; };
            run_loop(cut_.count, make);
            auto &sums = sums_.sorted();
            if (sums.size() > 1) {
                turn_into_carries(sums);
                add_carries(sums);
            }
        });
        return advanced(out_, cut_.steps);
    }

private:
    // Of each strand: the sum of its elements, later of all elements before them. Empty only for
    // the last element of an exclusive scan, and for what comes before the first.
    using strand_sums = loop_results<std::optional<T>>;
    using strand_sum = typename strand_sums::result;

    struct part {
        scan_loop &loop;
        std::uint64_t first_block;
        std::optional<T> sum;
        bool begun;

        void operator()(std::uint64_t block) {
            if (!begun) {
                begun = true;
                first_block = block;
                if (block == 0)
                    sum = std::move(loop.init_);
            }
            loop.scan_block(sum, loop.cut_.begin(block), loop.cut_.end(block));
        }
        // A part that was cancelled before its first block has nothing to hand in.
        void finish() {
            if (begun)
                loop.sums_.add(first_block, std::move(sum));
        }
    };

    // Continues `sum` over the elements [i, end). A strand's first element has none yet.
    void scan_block(std::optional<T> &sum, std::uint64_t i, std::uint64_t end) {
        In from = advanced(first_, i);
        Out to = advanced(out_, i);
        // The exclusive scan has no use for the very last element.
        const std::uint64_t used =
            kind == scan_kind::exclusive && end == cut_.steps ? end - 1 : end;
        if (!sum) {
            if (i == used)
                return;
            sum.emplace(operand<T>(element_at(from)));
            if constexpr (kind == scan_kind::inclusive)
                *to = *sum;
            ++i, ++from, ++to;
        }
        T running = std::move(*sum);
        for (; i != used; ++i, ++from, ++to) {
            if constexpr (kind == scan_kind::inclusive) {
                running =
                    static_cast<T>(call(op_, std::move(running), operand<T>(element_at(from))));
                *to = running;
            } else {
                // In this order the two may be the same place.
                T next =
                    static_cast<T>(call(op_, std::as_const(running), operand<T>(element_at(from))));
                *to = std::move(running);
                running = std::move(next);
            }
        }
        if (i != end)
            *to = std::move(running);
        else
            sum.emplace(std::move(running));
    }

    void turn_into_carries(std::vector<strand_sum> &sums) {
        std::optional<T> carry;
        for (strand_sum &s : sums) {
            std::optional<T> own = std::exchange(s.value, carry);
            if (&s == &sums.back())
                break;
            if (carry)
                carry.emplace(static_cast<T>(call(op_, std::move(*carry), std::move(*own))));
            else
                carry = std::move(own);
        }
    }

    void add_carries(const std::vector<strand_sum> &carries) {
        const std::uint64_t final_blocks = carries[1].first;
        const auto make = [&] { return carry_part{*this, carries, final_blocks}; };
        run_loop(cut_.count - final_blocks, make);
    }

    struct carry_part {
        scan_loop &loop;
        const std::vector<strand_sum> &carries;
        std::uint64_t final_blocks;

        void operator()(std::uint64_t offset) {
            const std::uint64_t block = final_blocks + offset;
            const strand_sum &before = strand_sums::at(carries, block);
            loop.carry_into(*before.value, block, block == before.first);
        }
        void finish() {}
    };

    void carry_into(const T &carry, std::uint64_t block, bool first_of_strand) {
        std::uint64_t i = cut_.begin(block);
        const std::uint64_t end = cut_.end(block);
        Out to = advanced(out_, i);
        if (kind == scan_kind::exclusive && first_of_strand) {
            *to = carry;
            ++i, ++to;
        }
        for (; i != end; ++i, ++to)
            *to = static_cast<T>(call(op_, carry, std::move(*to)));
    }

    const In first_;
    const Out out_;
    Op &op_;
    std::optional<T> init_;
    const blocks cut_;
    strand_sums sums_;
};

template <class Op, class T, class In, class Out>
concept scans =
    place_to_start<In> && random_access<Out> && !shares_words<Out> && combines<Op, T> &&
    std::is_constructible_v<T, passed<In>> && std::is_assignable_v<reference_of<Out>, const T &>;

template <class Op, class T, class In, class Out>
constexpr void check_scan() {
    check_bounds<In>();
    static_assert(holds<random_access<Out>>,
                  "saguaro: the output is an iterator with random access");
    check_combines<Op, T>();
    if constexpr (place_to_start<In> && random_access<Out>) {
        check_written<Out>();
        static_assert(std::is_constructible_v<T, passed<In>> &&
                          std::is_assignable_v<reference_of<Out>, const T &>,
                      "saguaro: an element cannot become a sum, or a sum cannot be written");
    }
}

// What the elements of a scan without a first value become.
template <class In>
struct scanned {
    using type = In;
};
template <class In>
    requires(!integer<In>)
struct scanned<In> {
    using type = element_of<In>;
};

template <scan_kind kind, class T, class In, class Out, class Op>
Out scan(In first, In last, Out out, Op &op, std::optional<T> init, std::uint64_t least) {
    check_scan<Op, T, In, Out>();
    if constexpr (scans<Op, T, In, Out>)
        return scan_loop<kind, In, Out, T, Op>(first, last, out, op, std::move(init), least).run();
    else
        return out;
}

} // namespace saguaro::detail
