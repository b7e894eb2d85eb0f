// SPDX-License-Identifier: MIT
// holder<T>: scratch space of which every strand has its own.
//
//     saguaro::holder scratch([] { return std::vector<double>(1000); });
//     saguaro::parallel_for(0, n, [&](int i) { solve(i, *scratch); });
#pragma once

#include <concepts>
#include <type_traits>
#include <utility>

#include "saguaro/reducer.hpp"

namespace saguaro {

// Makes the scratch space of a holder that is given nothing else: T().
template <typename T>
struct make_default {
    T operator()() const { return T(); }
};

// The monoid of a holder: of two views the serially earlier one stays, nothing is merged.
template <typename T, typename Make>
struct keep_left {
    using value_type = T;
    value_type identity() const { return make(); }
    void reduce(value_type &, value_type &&) const {}

    [[no_unique_address]] Make make;
};

// A variable that parallel strands use at once, each a T of its own, so that a serial program's
// scratch variable need not be moved into the loop and made anew in each iteration. A T is made by
// `Make` when a strand that a thief took first asks, and destroyed when that strand is joined: one
// for each steal, and one that the holder begins with. Between, a T stays as the strand's serially
// preceding part left it, which is what it means to be scratch space: a program whose result is to
// be the serial one writes before it reads.
//
// Lookups, lifetimes and exceptions of `make` are those of a reducer. `make` is called by several
// workers at once. T need neither move nor copy.
template <typename T, typename Make = make_default<T>>
    requires std::destructible<T> && std::is_invocable_r_v<T, const Make &>
class holder {
public:
    using value_type = T;

    // Throws what `make` throws, and as the constructor of a reducer.
    explicit holder(Make make = Make()) : views_(keep_left<T, Make>{std::move(make)}) {}

    holder(const holder &) = delete;
    holder &operator=(const holder &) = delete;

    // The current strand's own T: good until the next spawn, sync or call that contains one.
    T &view() { return views_.view(); }
    T &operator*() { return views_.view(); }
    T *operator->() { return views_.operator->(); }

private:
    reducer<keep_left<T, Make>> views_;
};

template <typename Make>
holder(Make) -> holder<std::invoke_result_t<const Make &>, Make>;

} // namespace saguaro
