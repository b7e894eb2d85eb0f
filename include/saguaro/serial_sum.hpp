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

#include "saguaro/detail/cxx20.hpp"

#include "saguaro/detail/addend_log.hpp"

#include <concepts>
#include <cstddef>
#include <utility>

namespace saguaro {

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
