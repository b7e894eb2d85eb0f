// SPDX-License-Identifier: MIT
// reducer<Monoid>: one variable that parallel strands update without locks and without races.
//
// Each strand works on a view of its own, which the runtime makes when the strand first asks for
// it. The monoid's reduce joins views in the order of the serial program. So the result is the
// serial one on any number of workers, if the operation is associative. It need not be commutative.
//
//     saguaro::reducer<saguaro::add<long>> total;
//     saguaro::parallel_for(0, n, [&](int i) { *total += weight(i); });
//     std::printf("%ld\n", total.get());
//
// Ready-made monoids are in <saguaro/monoids.hpp>.
#pragma once

#include "saguaro/detail/cxx20.hpp"

#include "saguaro/detail/exceptions.hpp"

#include <concepts>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

#include "saguaro/race.h"
#include "saguaro/reducer.h"

namespace saguaro {

// The parts of a monoid, apart so that the compiler names the one that is missing.
template <typename M>
concept monoid_names_value_type = std::destructible<typename M::value_type>;

// The same type counts even where it does not move: the view is made in its place.
template <typename M>
concept monoid_has_identity = requires(const M &m) {
    requires std::same_as<decltype(m.identity()), typename M::value_type> ||
                 std::convertible_to<decltype(m.identity()), typename M::value_type>;
};

template <typename M>
concept monoid_has_reduce =
    requires(const M &m, typename M::value_type &left, typename M::value_type &&right) {
        m.reduce(left, std::move(right));
    };

// A monoid: what joins views.
//     struct m {
//         using value_type = ...;                        // of the views; need not be copyable
//         value_type identity() const;                   // e, with e*x = x*e = x
//         void reduce(value_type &left, value_type &&right) const;   // left = left*right
//         value_type first() const;                      // optional
//     };
// `reduce` is associative. Neither function spawns, and `reduce` uses no reducer. Whichever worker
// needs a function calls it, several workers at once. An exception from `identity` leaves through
// the lookup that needed the view; one from `reduce` ends the program (std::terminate).
//
// If `first` exists, a new reducer's value is first() and not the identity. No join ever has that
// value on the right, because nothing comes before it. A view that knows this can do at once what
// all others must put off until they are joined, for example write to a stream, or add in the
// serial order.
template <typename M>
concept monoid = monoid_names_value_type<M> && monoid_has_identity<M> && monoid_has_reduce<M>;

namespace detail {

// For messages: how the compiler writes the type T.
template <class T>
constexpr const char *signature_with() {
    return __PRETTY_FUNCTION__;
}

} // namespace detail

// A reducer may be made and destroyed anywhere, in the thousands: outside of any run, in a worker's
// strand, as a local variable, as a member, or on the heap. It can neither be copied nor moved.
// Whoever destroys it comes after all that has used it, in the serial order, and is synced with it.
// If a view still waits to be joined, the program ends with a message.
//
// Views belong to strands. A reference to a view is good until the next spawn, sync or call that
// contains one: ask again afterwards. Outside of any run a reducer is its value, and no run that
// uses it may be under way meanwhile. Two runs of two threads may use it at once; each is folded
// into the value when it ends.
//
// A lookup takes two loads and a branch. The first lookup in a strand that a thief took makes the
// view; it throws what the monoid's identity throws, or std::bad_alloc.
template <monoid M>
    requires(alignof(typename M::value_type) <= SG_VIEW_ALIGNMENT)
class reducer : private sg_reducer {
public:
    using monoid_type = M;
    using value_type = typename M::value_type;

    // The value is the monoid's first(), or else its identity. Throws std::bad_alloc if there is no
    // memory, or if 4,063,232 reducers exist already (fewer by what other workers keep in their
    // caches, at most 64 each).
    reducer()
        requires std::default_initializable<M>
        : reducer(M()) {}

    explicit reducer(M m) : monoid_(std::move(m)) {
        start(make_first, static_cast<sg_reducer *>(this));
    }

    // The value is `initial`, which comes first in the serial order.
    explicit reducer(value_type initial, M m = M())
        requires std::move_constructible<value_type>
        : monoid_(std::move(m)) {
        start(make_moved, std::addressof(initial));
    }

    ~reducer() { sg_reducer_destroy(this); }

    reducer(const reducer &) = delete;
    reducer &operator=(const reducer &) = delete;

    // The current strand's view.
    value_type &view() { return *static_cast<value_type *>(sg_reducer_view(this)); }
    value_type &operator*() { return view(); }
    value_type *operator->() { return std::addressof(view()); }

    // The current strand's view, to read: the value of the serial program when no parallel work is
    // outstanding that started before this strand.
    const value_type &get() const {
        expect_all_joined();
        return *static_cast<const value_type *>(sg_reducer_view(this));
    }

    // Moves the current view out and assigns the identity to it.
    value_type take() {
        expect_all_joined();
        return std::exchange(view(), value_type(monoid_.identity()));
    }

    // Replaces the current view: all of the value when no parallel work is outstanding.
    void set(value_type value) {
        expect_all_joined();
        view() = std::move(value);
    }

private:
    // An update that is parallel to this one is a race.
    void expect_all_joined() const { sg_race_write(this, sizeof(sg_reducer)); }

    void start(void (*make)(void *, void *), void *argument) {
        if (sg_reducer_create_with(this, &functions, make, argument) != 0)
            detail::throw_error<std::bad_alloc>();
    }

    // A null context makes the runtime hand over the address of the sg_reducer: this object's base.
    static const reducer *from(void *context) {
        return static_cast<const reducer *>(static_cast<sg_reducer *>(context));
    }

    static void make_identity(void *view, void *context) {
        ::new (view) value_type(from(context)->monoid_.identity());
    }

    static void make_first(void *view, void *context) {
        if constexpr (requires { from(context)->monoid_.first(); })
            ::new (view) value_type(from(context)->monoid_.first());
        else
            make_identity(view, context);
    }

    static void make_moved(void *view, void *value) {
        ::new (view) value_type(std::move(*static_cast<value_type *>(value)));
    }

    static void reduce(void *left, void *right, void *context) noexcept {
        from(context)->monoid_.reduce(*static_cast<value_type *>(left),
                                      std::move(*static_cast<value_type *>(right)));
    }

    static void destroy(void *view, void *) noexcept {
        std::destroy_at(static_cast<value_type *>(view));
    }

    // Hidden: see typed_closure::site.
    [[gnu::visibility("hidden")]] static constexpr sg_monoid functions = {
        make_identity,
        reduce,
        std::is_trivially_destructible_v<value_type> ? nullptr : destroy,
        sizeof(value_type),
        alignof(value_type),
        nullptr,
        detail::signature_with<M>()};

    [[no_unique_address]] M monoid_;
};

} // namespace saguaro
