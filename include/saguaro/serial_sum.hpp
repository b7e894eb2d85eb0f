// SPDX-License-Identifier: MIT
// serial_sum: a floating-point sum with exactly the bits of the serial loop.
//
//     saguaro::reducer<saguaro::serial_sum<double>> total;
//     saguaro::parallel_for(0, n, [&](int i) { *total += weight(i); });
//     double sum = total.get();
//
// Addition with rounding is not associative: nobody knows what the addends of a stolen part do to
// the sum before all addends that precede them have been added. So a stolen part only stores its
// addends, and they are added one by one when the part is joined with what precedes it. Use it if
// an addend takes much longer to compute than to add. If you want one answer on any number of
// workers, and it need not be that of the serial loop, use exact_sum, which does everything in
// parallel.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <list>
#include <utility>
#include <vector>

namespace saguaro {

namespace detail {

// `x`, as it would be if it came from memory. A compiler that may fuse a multiplication with an
// addition must not do so for the addends that are added at once and not for those that wait.
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

} // namespace detail

// A strand's share of a serial_sum.
//
// - In the strand that comes first in the serial order it is the sum so far. An addition costs one
//   addition and a branch.
// - In others it is the list of the addends since the steal. An addition stores sizeof(T) bytes,
//   and may throw std::bad_alloc; the join adds them.
//
// An assignment replaces the contents, and leaves the share the kind that it is.
template <std::floating_point T>
class serial_sum_view {
public:
    // A sum that starts with `sum`, which nothing precedes.
    serial_sum_view(T sum) : is_first_(true), sum_(sum) {}

    serial_sum_view(const serial_sum_view &) = default;
    serial_sum_view(serial_sum_view &&) = default;

    serial_sum_view &operator=(serial_sum_view other) {
        if (is_first_) {
            sum_ = other.value();
        } else if (other.is_first_) {
            log_.clear();
            log_.push(other.sum_);
        } else {
            log_ = std::move(other.log_);
        }
        return *this;
    }

    serial_sum_view &operator+=(T x) {
        x = detail::rounded(x);
        if (is_first_)
            sum_ += x;
        else
            log_.push(x);
        return *this;
    }
    serial_sum_view &operator-=(T x) { return *this += -x; }

    // Constant in the strand that nothing precedes, and so after the sync; elsewhere the sum of the
    // strand's own addends after 0, linear in their number.
    T value() const { return log_.added_to(sum_); }
    operator T() const { return value(); }

    // How many addends wait to be joined with what precedes them. Linear in it by 1/16384.
    std::size_t waiting() const { return log_.size(); }

    // What a strand starts with that something precedes: no addends.
    static serial_sum_view later() {
        serial_sum_view view{T()};
        view.is_first_ = false;
        return view;
    }

    // The same as adding one by one whatever was added to `right`.
    void append(serial_sum_view &&right) {
        if (is_first_)
            sum_ = right.log_.added_to(sum_);
        else
            log_.append(std::move(right.log_));
    }

private:
    bool is_first_;
    T sum_; // stays 0 in a view that waits
    detail::addend_log<T> log_;
};

// The sum, with the bits of `T sum = 0; for (...) sum += x;`, or of the initial value that the
// reducer was given instead of 0. An addend is rounded to T before it is added; apart from that
// the additions are those of the serial program, in its order and rounding mode, infinities and
// NaN included. The serial loop must not be compiled with -ffast-math, nor fuse its additions with
// multiplications (-ffp-contract=off, or store the product first).
//
// Memory: sizeof(T) for each addend of a strand that was stolen and still waits to be joined, at
// worst all addends but the first strand's.
template <std::floating_point T>
struct serial_sum {
    using value_type = serial_sum_view<T>;
    value_type first() const { return T(); }
    value_type identity() const { return value_type::later(); }
    void reduce(value_type &left, value_type &&right) const { left.append(std::move(right)); }
};

} // namespace saguaro
