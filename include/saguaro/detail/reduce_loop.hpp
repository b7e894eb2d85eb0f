// SPDX-License-Identifier: MIT
// A loop whose strands each combine the values of their steps, in order.
#pragma once

#include "saguaro/detail/loop.hpp"
#include "saguaro/detail/loop_results.hpp"

#include <cstdint>
#include <iterator>
#include <optional>
#include <type_traits>
#include <utility>

namespace saguaro::detail {

// reduce(...reduce(init, value_at(0))..., value_at(steps - 1)), where `reduce` is associative.
template <class T, class Reduce, class ValueAt>
T reduce_loop(std::uint64_t steps, T init, Reduce &reduce, const ValueAt &value_at) {
    loop_results<T> results;
    struct part {
        Reduce &reduce;
        const ValueAt &value_at;
        loop_results<T> &results;
        std::uint64_t begin = 0;
        std::optional<T> sum;

        void operator()(std::uint64_t step) {
            if (sum) {
                *sum = static_cast<T>(reduce(std::move(*sum), operand<T>(value_at(step))));
            } else {
                begin = step;
                sum.emplace(value_at(step));
            }
        }
        // A part that was cancelled before its first step has nothing to hand in.
        void finish() {
            if (sum)
                results.add(begin, std::move(*sum));
        }
    };
    const auto make = [&] { return part{reduce, value_at, results, 0, std::nullopt}; };
    run_loop(steps, make);
    for (auto &result : results.sorted())
        init = static_cast<T>(reduce(std::move(init), std::move(result.value)));
    return init;
}

// The same over blocks of steps: reduce_loop of each block's own value.
template <class T, class Reduce, class ValueAt>
T reduce_blocks(const blocks &cut, T init, Reduce &reduce, const ValueAt &value_at) {
    return reduce_loop(cut.count, std::move(init), reduce, [&](std::uint64_t block) {
        std::uint64_t step = cut.begin(block);
        const std::uint64_t end = cut.end(block);
        T sum(operand<T>(value_at(step)));
        for (++step; step != end; ++step)
            sum = static_cast<T>(reduce(std::move(sum), operand<T>(value_at(step))));
        return sum;
    });
}

// What becomes of an element if a program names no function for it.
struct as_is {
    template <class V>
    constexpr V operator()(V &&value) const noexcept {
        return std::forward<V>(value);
    }
};

template <class T, class Reduce, class Transform, class I>
concept reduces = takes_each<Transform, I> && combines<Reduce, T> &&
                  std::is_constructible_v<T, std::invoke_result_t<Transform &, passed<I>>>;

template <class T, class Reduce, class Transform, class I>
constexpr void check_reduce() {
    check_bounds<I>();
    check_combines<Reduce, T>();
    if constexpr (place_to_start<I>) {
        static_assert(holds<takes_each<Transform, I>>,
                      "saguaro: the transform cannot be called with an "
                      "index, or with what the iterators point at");
        if constexpr (takes_each<Transform, I>)
            static_assert(std::is_constructible_v<T, std::invoke_result_t<Transform &, passed<I>>>,
                          "saguaro: what is reduced cannot become a value of the type of init");
    }
}

// parallel_reduce, with a number of steps for the least block or with none.
template <class I, class T, class Reduce, class Transform, class... Least>
T reduce_each(I first, I last, T init, Reduce &reduce, Transform &transform, Least... least) {
    check_reduce<T, Reduce, Transform, I>();
    if constexpr (reduces<T, Reduce, Transform, I>) {
        using result = std::invoke_result_t<Transform &, passed<I>>;
        // Other iterators may refer to what is in themselves.
        constexpr bool by_value = !std::random_access_iterator<I>;
        const auto value_at = [&](std::uint64_t i)
            -> std::conditional_t<by_value, std::remove_cvref_t<result>, result> {
            return call_at(transform, advanced(first, i));
        };
        const std::uint64_t steps = distance(first, last);
        if constexpr (sizeof...(Least) == 0)
            return reduce_loop(steps, std::move(init), reduce, value_at);
        else
            return reduce_blocks(blocks(steps, least...), std::move(init), reduce, value_at);
    } else {
        return init;
    }
}

} // namespace saguaro::detail
