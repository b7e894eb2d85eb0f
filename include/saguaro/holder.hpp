// SPDX-License-Identifier: MIT
// holder<T>: scratch space of which each strand has a copy of its own.
//
//     saguaro::holder scratch([] { return std::vector<double>(1000); });
//     saguaro::parallel_for(0, n, [&](int i) { solve(i, *scratch); });
#pragma once

#include "saguaro/detail/cxx20.hpp"

#include <concepts>
#include <type_traits>
#include <utility>

#include "saguaro/reducer.hpp"

namespace saguaro {

// Makes the T of a holder by T(), if the program names no other way.
template <typename T>
struct make_default {
    T operator()() const { return T(); }
};

// The monoid of a holder: of two views the one that comes first in the serial order stays; nothing
// is merged.
template <typename T, typename Make>
struct keep_left {
    using value_type = T;
    value_type identity() const { return make(); }
    void reduce(value_type &, value_type &&) const {}

    [[no_unique_address]] Make make;
};

// A variable that parallel strands use at once, each a T of its own. So a program need not move its
// scratch variable into the loop and make it anew in each iteration. `Make` makes one T at the
// beginning, and one for each steal, when the stolen strand first asks. The T of a stolen strand is
// destroyed when the strand is joined.
//
// Meanwhile a T stays as the strand's earlier iterations have left it, as scratch space does. To
// get the result of the serial program, write the T before you read it.
//
// Lookups, lifetimes and exceptions of `make` are as with a reducer. Several workers may call
// `make` at once. T need neither move nor copy.
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
