// SPDX-License-Identifier: MIT
// top_k: the k greatest of all values.
//
//     saguaro::reducer<saguaro::top_k<hit>> best{saguaro::top_k<hit>(10)};
//     saguaro::parallel_for(0, n, [&](int i) { best->push(score(i)); });
//     for (const hit &h : best.get().sorted())
//         std::printf("%g\n", h.value);
#pragma once

#include "saguaro/detail/cxx20.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

namespace saguaro {

// The k greatest of the values pushed so far, by `Compare` (std::less<>: the largest numbers). Of
// equal values the earlier ones stay. T is movable. It takes O(k) memory, allocated as values come.
template <typename T, typename Compare = std::less<>>
class greatest_values {
public:
    explicit greatest_values(std::size_t k, Compare compare = Compare())
        : limit_(k), compare_(std::move(compare)) {}

    // One comparison for a value that is not among the k greatest; O(log k) for others.
    void push(T value) { insert({std::move(value), pushed_++}); }

    // Pushes what `later` still has, as if it were all pushed now. O(k log k).
    void append(greatest_values &&later) {
        for (entry &e : later.heap_)
            insert({std::move(e.value), pushed_ + e.place});
        pushed_ += later.pushed_;
        later.heap_.clear();
    }

    // How many values there are: k, or all that were pushed if they were fewer.
    std::size_t size() const { return heap_.size(); }
    bool empty() const { return heap_.empty(); }

    // The values, the greatest first, equal ones in the order in which they were pushed: the first
    // k that a stable sort of all by descending value has. O(k log k).
    std::vector<T> sorted() const & { return greatest_values(*this).take_sorted(); }
    std::vector<T> sorted() && { return take_sorted(); }

private:
    struct entry {
        T value;
        std::uint64_t place; // how many were pushed before
    };

    // Whether `a` stands before `b` in the result.
    bool before(const entry &a, const entry &b) const {
        if (compare_(b.value, a.value))
            return true;
        return a.place < b.place && !compare_(a.value, b.value);
    }

    auto order() const {
        return [this](const entry &a, const entry &b) { return before(a, b); };
    }

    // Places are all different, so that the entries that stay do not depend on the order in which
    // they come.
    void insert(entry &&e) {
        if (heap_.size() == limit_) {
            if (limit_ == 0 || !before(e, heap_.front()))
                return;
            std::pop_heap(heap_.begin(), heap_.end(), order());
            heap_.back() = std::move(e);
        } else {
            heap_.push_back(std::move(e));
        }
        std::push_heap(heap_.begin(), heap_.end(), order());
    }

    std::vector<T> take_sorted() {
        std::sort_heap(heap_.begin(), heap_.end(), order());
        std::vector<T> values;
        values.reserve(heap_.size());
        for (entry &e : heap_)
            values.push_back(std::move(e.value));
        heap_.clear();
        return values;
    }

    std::size_t limit_;
    [[no_unique_address]] Compare compare_;
    std::uint64_t pushed_ = 0;
    std::vector<entry> heap_; // the last one of the result is in front
};

// The k greatest values, ties broken by the serial order: exactly what the serial program finds. A
// view is a greatest_values<T, Compare>. Joining two is O(k log k). `Compare` is a strict weak
// order, and neither it nor a move of T throws.
template <typename T, typename Compare = std::less<>>
struct top_k {
    using value_type = greatest_values<T, Compare>;

    explicit top_k(std::size_t k, Compare compare = Compare())
        : k_(k), compare_(std::move(compare)) {}

    value_type identity() const { return value_type(k_, compare_); }
    void reduce(value_type &left, value_type &&right) const { left.append(std::move(right)); }

private:
    std::size_t k_;
    [[no_unique_address]] Compare compare_;
};

} // namespace saguaro
