// SPDX-License-Identifier: MIT
// How constructs run under the race detector: serially, in the program's order, each child told.
// For the headers, with SG_RACE.
//
// The functions here are not instrumented: what a construct does itself is no access of the
// program's. A child is called out of line, so that its locals lie below its parent's frame.
#pragma once

#include "saguaro/detail/cxx20.hpp"

#include "saguaro/detail/exceptions.hpp"
#include "saguaro/detail/race.h"
#include "saguaro/detail/race_names.h"
#include "saguaro/detail/strand_node.hpp"
#include "saguaro/detail/value_of.hpp"

#include <concepts>
#include <cstdint>
#include <tuple>
#include <type_traits>
#include <utility>

#define SG_NOT_CHECKED __attribute__((noinline)) SG_OWN_ACCESS

namespace saguaro::detail {

// A function, scope or loop, as long as it lives.
class race_call {
public:
    race_call() { sg_race_begin_call(); }
    ~race_call() { sg_race_end_call(); }
    race_call(const race_call &) = delete;
    race_call &operator=(const race_call &) = delete;
};

class race_child {
public:
    race_child(const void *spawned_at, const void *stack) : stack_(stack) {
        sg_race_begin_child(spawned_at);
    }
    ~race_child() { sg_race_end_child(stack_); }
    race_child(const race_child &) = delete;
    race_child &operator=(const race_child &) = delete;

private:
    const void *stack_;
};

// Accesses are not checked while it lives: the construct's own.
class race_break {
public:
    race_break() { sg_race_off(); }
    ~race_break() { sg_race_on(); }
    race_break(const race_break &) = delete;
    race_break &operator=(const race_break &) = delete;
};

// They are again while it lives, in such a break: what the construct calls.
class race_checks {
public:
    race_checks() { sg_race_on(); }
    ~race_checks() { sg_race_off(); }
    race_checks(const race_checks &) = delete;
    race_checks &operator=(const race_checks &) = delete;
};

// f(arguments...) as a child, which a report says was spawned there.
template <class F, class... A>
SG_NOT_CHECKED decltype(auto) call_as_child(const void *spawned_at, F &&f, A... arguments) {
    const race_child here(spawned_at, __builtin_frame_address(0));
    return std::forward<F>(f)(arguments...);
}

// The results of the functions, each a child, as a tuple. They are where the children have left
// them until all have ended. Without a place, the children are spawned where this is called.
template <class F, class... Rest>
SG_NOT_CHECKED auto race_invoke_each(const void *spawned_at, F &&f, Rest &&...rest) {
    if (spawned_at == nullptr)
        spawned_at = __builtin_return_address(0);
    using value = value_of<std::invoke_result_t<F>>;
    using result = std::tuple<returned_value<std::invoke_result_t<F>>>;
    if constexpr (sizeof...(Rest) == 0) {
        value last = call_as_child(spawned_at,
                                   [&]() -> value { return call_for_value(std::forward<F>(f)); });
        sg_race_sync();
        return result(std::move(last));
    } else {
        value first = call_as_child(spawned_at, [&]() -> value {
            const descend here;
            return call_for_value(std::forward<F>(f));
        });
        // Where a thief takes the functions that follow, they are one strand: so they have the same
        // pedigrees here.
        const descend here;
        auto others = race_invoke_each(spawned_at, std::forward<Rest>(rest)...);
        return std::tuple_cat(result(std::move(first)), std::move(others));
    }
}

template <class... F>
auto invoke_all(F &&...f) {
    const race_call here;
    return race_invoke_each(nullptr, std::forward<F>(f)...);
}

// Each step by a part of its own, as if all had been stolen from each other. A part that returns
// false ends the loop.
template <class MakePart>
SG_NOT_CHECKED void race_loop(std::uint64_t steps, MakePart &make) {
    const void *const spawned_at = __builtin_return_address(0);
    const race_call here;
    const auto step = [&make](std::uint64_t i) {
        auto part = make();
        bool goes_on = true;
        if constexpr (std::same_as<decltype(part(i)), bool>)
            goes_on = part(i);
        else
            part(i);
        part.finish();
        return goes_on;
    };
    for (std::uint64_t i = 0; i < steps && call_as_child(spawned_at, step, i); ++i) {
    }
}

} // namespace saguaro::detail
