// SPDX-License-Identifier: MIT
// OpenCilk's reducers in C++, `T cilk_reducer(identity, reduce) x`: for cilk_cxx.hpp.
//
// C++14 without any header of the standard library.
#pragma once

#pragma GCC system_header

#include "saguaro/detail/c_reducer.h"
#include "saguaro/detail/cilk_cxx_loop.hpp"

namespace saguaro {

namespace cilk {

// What the functions of a reducer are: cilkc++ has Clang compare.
constexpr int identity_and_reduction(void (*)(void *view), void (*)(void *left, void *right)) {
    return 0;
}

// A variable of which each strand has a view of its own. The strand that is first in the serial
// order works on the variable itself. cilkc++ writes it in the place of the type, and `.view()`
// behind each use:
//
//     long cilk_reducer(zero, add) sum = 0;
//     sum += 1;
//
// becomes
//
//     ::saguaro::cilk::hyperobject<long, zero, add> sum = 0;
//     sum.view() += 1;
//
// As in OpenCilk, `reduction` ends the life of the right view. Registering takes some 100 ns, a
// view four loads and two branches.
template <class T, void (*identity)(void *), void (*reduction)(void *, void *)>
class hyperobject {
public:
    using value_type = T;

    hyperobject() : value_() { start(); }
    template <class... A, class = only_if<(sizeof...(A) > 0) && __is_constructible(T, A...)>>
    hyperobject(A &&...from) : value_(static_cast<A &&>(from)...) {
        start();
    }
    // Where only a conversion makes the value: `T *cilk_reducer(...) p = 0`.
    hyperobject(T &&from) : value_(static_cast<T &&>(from)) { start(); }
    // The view's value, in a reducer of its own.
    hyperobject(const hyperobject &from) : value_(from.view()) { start(); }
    hyperobject &operator=(const hyperobject &from) {
        view() = from.view();
        return *this;
    }
    ~hyperobject() { sg_hyper_unregister(&head_); }

    // The current strand's; good until the next spawn, sync, or call that contains one.
    // Before the constructor, in a static variable, it is the variable itself.
    T &view() {
        if (__builtin_expect(head_.reducer.key == 0, 0) && head_.size == 0)
            return value_;
        return *static_cast<T *>(sg_hyper_view(&head_));
    }
    const T &view() const { return const_cast<hyperobject *>(this)->view(); }
    // The variable itself.
    T &first_view() { return value_; }

    // In a template the reducer may be found when it is instantiated.
    operator T &() { return view(); }
    operator const T &() const { return view(); }

private:
    void start() {
        head_.size = sizeof(T);
        head_.alignment = alignof(T);
        head_.plain_identity = identity;
        head_.plain_reduce = reduction;
        sg_hyper_register(&head_);
    }

    sg_hyper head_ = {}; // the value lies where sg_hyper_value says
    T value_;
};

} // namespace cilk

} // namespace saguaro
