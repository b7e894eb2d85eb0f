// SPDX-License-Identifier: MIT
// The merge sort of parallel_sort, which keeps all elements whatever the comparison throws.
#pragma once

#include "saguaro/detail/checks.hpp"
#include "saguaro/detail/exceptions.hpp"
#include "saguaro/detail/first_error.hpp"
#include "saguaro/parallel_invoke.hpp"

#include <algorithm>
#include <cstddef>
#include <exception>
#include <memory>
#include <utility>

namespace saguaro::detail {

// Sorted by insertion.
inline constexpr std::size_t sort_leaf = 32;
// Sorted without offering anything to thieves: some tens of microseconds, far above what a steal
// costs. Eight times as many are merged in that time.
inline constexpr std::size_t serial_sort = 2048;
inline constexpr std::size_t merge_per_sort = 8;

// Sorts `n` elements from `range` on, with as many in scratch memory. Each level of the recursion
// merges from one of the two to the other. If an odd number of levels is below a level, its sorted
// elements end in `range`; if an even number is below it, they end in the scratch memory. The whole
// recursion has an odd number of levels.
//
// Whatever the comparison throws, each level ends with all its elements where they belong, in some
// order, and passes on the exception that the serial program would have met first. Sizes and
// elements alone decide where ranges are cut, so the comparisons are the same on any number of
// workers.
template <class I, class Less>
class merge_sort {
public:
    using value = element_of<I>;

    // `serial`: what is sorted without offering anything to thieves.
    merge_sort(I range, std::size_t n, Less &less, std::size_t serial)
        : range_(range), n_(n), less_(less), serial_sort_(serial),
          serial_merge_(serial > n ? n : serial * merge_per_sort) {}

    void run() {
        if (n_ <= sort_leaf) {
            insert_all(range_, range_ + difference(n_));
            return;
        }
        int levels = 1;
        while (n_ > (sort_leaf << levels))
            levels += 2;
        std::allocator<value> memory;
        scratch_ = memory.allocate(n_);
        const std::exception_ptr error = sort(0, n_, levels);
        std::destroy_n(scratch_, n_);
        memory.deallocate(scratch_, n_);
        if (error != nullptr)
            std::rethrow_exception(error);
    }

private:
    static difference_of<I> difference(std::size_t n) { return static_cast<difference_of<I>>(n); }

    // Constant elements for the comparison, or what an iterator returns instead of a reference.
    template <class A, class B>
    bool is_less(A &&a, B &&b) {
        return static_cast<bool>(call(less_, constant(a), constant(b)));
    }
    template <class A>
    static const A &constant(A &element) {
        return element;
    }

    std::exception_ptr sort(std::size_t begin, std::size_t end, int levels) noexcept {
        if (levels == 0)
            return sort_into_scratch(begin, end);
        const std::size_t middle = begin + (end - begin) / 2;
        std::exception_ptr error = both(
            end - begin <= serial_sort_, [&] { return sort(begin, middle, levels - 1); },
            [&] { return sort(middle, end, levels - 1); });
        const auto from = [&](auto base, auto out) {
            return merge_unless(std::move(error), base + difference(begin),
                                base + difference(middle), base + difference(end),
                                out + difference(begin));
        };
        return levels % 2 == 1 ? from(scratch_, range_) : from(range_, scratch_);
    }

    // Runs both, whatever the first returns: elements must be where they belong.
    template <class F, class G>
    static std::exception_ptr both(bool serially, F &&f, G &&g) {
        if (serially) {
            std::exception_ptr first = f(), second = g();
            return first != nullptr ? first : second;
        }
        auto [first, second] = parallel_invoke(f, g);
        return first != nullptr ? first : second;
    }

    // The scratch memory gets its objects here.
    std::exception_ptr sort_into_scratch(std::size_t begin, std::size_t end) noexcept {
        const I first = range_ + difference(begin), last = range_ + difference(end);
        std::exception_ptr error;
        SG_TRY {
            insert_all(first, last);
        }
        SG_CATCH_ALL {
            error = caught_error();
        }
        std::uninitialized_move(first, last, scratch_ + begin);
        return error;
    }

    void insert_all(I first, I last) {
        for (I i = first; i != last; ++i)
            insert(first, i);
    }

    // Inserts *at into [first, at).
    void insert(I first, I at) {
        value moved = std::move(*at);
        SG_TRY {
            for (; at != first && is_less(moved, *(at - 1)); --at)
                *at = std::move(*(at - 1));
        }
        SG_CATCH_ALL {
            *at = std::move(moved);
            SG_RETHROW;
        }
        *at = std::move(moved);
    }

    // Merges [a, b) and [b, end), or only moves them.
    template <class From, class To>
    std::exception_ptr merge_unless(std::exception_ptr error, From a, From b, From end,
                                    To out) noexcept {
        if (error == nullptr)
            return merge(a, b, b, end, out);
        std::move(a, end, out);
        return error;
    }

    template <class From, class To>
    std::exception_ptr merge(From a, From a_end, From b, From b_end, To out) noexcept {
        const auto n = (a_end - a) + (b_end - b);
        if (static_cast<std::size_t>(n) <= serial_merge_)
            return merge_serially(a, a_end, b, b_end, out);
        const auto half = n / 2;
        difference_of<From> of_a;
        SG_TRY {
            of_a = count_of_first(a, a_end - a, b, b_end - b, half);
        }
        SG_CATCH_ALL {
            std::move(b, b_end, std::move(a, a_end, out));
            return caught_error();
        }
        const From a_middle = a + of_a, b_middle = b + (half - of_a);
        return both(
            false, [&] { return merge(a, a_middle, b, b_middle, out); },
            [&] { return merge(a_middle, a_end, b_middle, b_end, out + half); });
    }

    // How many of the first `k` elements of the merged whole come from `a`. With a comparison that
    // is no order, still a number that both sides can supply.
    template <class From>
    auto count_of_first(From a, difference_of<From> a_size, From b, difference_of<From> b_size,
                        difference_of<From> k) {
        using count = difference_of<From>;
        count low = std::max<count>(0, k - b_size), high = std::min(k, a_size);
        while (low < high) {
            const count i = low + (high - low) / 2;
            // If it is not after a's, b's last one of k - i is among the first k only with a[i].
            if (!is_less(*(b + (k - i - 1)), *(a + i)))
                low = i + 1;
            else
                high = i;
        }
        return low;
    }

    template <class From, class To>
    std::exception_ptr merge_serially(From a, From a_end, From b, From b_end, To out) noexcept {
        std::exception_ptr error;
        SG_TRY {
            // Nothing to choose if the two are in order already.
            if (a != a_end && b != b_end && is_less(*b, *(a_end - 1)))
                while (a != a_end && b != b_end) {
                    // Without a branch: it would be mispredicted every second time.
                    const bool second = is_less(*b, *a);
                    *out = std::move(second ? *b : *a);
                    ++out;
                    a += !second;
                    b += second;
                }
        }
        SG_CATCH_ALL {
            error = caught_error();
        }
        std::move(b, b_end, std::move(a, a_end, out));
        return error;
    }

    const I range_;
    const std::size_t n_;
    Less &less_;
    const std::size_t serial_sort_;
    const std::size_t serial_merge_;
    value *scratch_ = nullptr;
};

} // namespace saguaro::detail
