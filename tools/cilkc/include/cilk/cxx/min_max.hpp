// SPDX-License-Identifier: MIT
// The least and the greatest of values, without and with where it was: for <cilk/reducer_max.h> and
// <cilk/reducer_min.h> in C++. Of equal values the one that is first in the serial order counts.
#pragma once

#pragma GCC system_header

#include <cilk/cxx/reducer.hpp>

#include <functional>
#include <limits>
#include <utility>

namespace cilk {

namespace internal {

// What is compared: a whole value, or the value that has an index beside it.
template <typename Type>
struct plain_candidate {
    typedef Type value_type;
    typedef Type key_type;
    static const Type &key(const value_type &v) { return v; }
    static value_type worst(const Type &key) { return key; }
};
template <typename Index, typename Type>
struct indexed_candidate {
    typedef std::pair<Index, Type> value_type;
    typedef Type key_type;
    static const Type &key(const value_type &v) { return v.second; }
    static value_type worst(const Type &key) { return value_type(Index(), key); }
};

// What a view has before it has seen a value. Of numbers by < it is the worst one, which is the
// value of a reducer that has seen none; a NaN never replaces it.
template <typename Type, typename Compare>
struct worst_value {
    enum { exists = false };
    static Type of(bool) { return Type(); }
};
template <typename Type, bool is_number>
struct worst_number {
    enum { exists = false };
    static Type of(bool) { return Type(); }
};
template <typename Type>
struct worst_number<Type, true> {
    enum { exists = true };
    static Type of(bool greatest) {
        typedef std::numeric_limits<Type> limits;
        if (limits::has_infinity)
            return greatest ? static_cast<Type>(-limits::infinity()) : limits::infinity();
        const Type lowest =
            limits::is_integer ? (limits::min)() : static_cast<Type>(-(limits::max)());
        return greatest ? lowest : (limits::max)();
    }
};
template <typename Type>
struct worst_value<Type, std::less<Type>>
    : worst_number<Type, std::numeric_limits<Type>::is_specialized> {};

// The right side of `*r = cilk::max_of(*r, x)`: the best of the values that it names.
template <class View>
class extremum_proxy {
public:
    typedef typename View::value_type value_type;

    extremum_proxy(const value_type &v, const View &view) : value_(v), view_(&view) {}
    extremum_proxy with(const value_type &v) const {
        return extremum_proxy(view_->is_better(v, value_) ? v : value_, *view_);
    }
    const value_type &value() const { return value_; }

private:
    value_type value_;
    const View *view_;
};

template <class Candidate, typename Compare, bool greatest>
class extremum_view {
public:
    typedef typename Candidate::value_type value_type;
    typedef typename Candidate::key_type key_type;
    typedef extremum_proxy<extremum_view> rhs_proxy;

    explicit extremum_view(const Compare *compare)
        : value_(Candidate::worst(worst::of(greatest))), is_set_(false), compare_(compare) {}
    extremum_view(const value_type &v, const Compare *compare)
        : value_(v), is_set_(true), compare_(compare) {}

    void calc(const value_type &v) {
        if (replaces(v, has_worst())) {
            value_ = v;
            is_set_ = true;
        }
    }
    void reduce(extremum_view *right) {
        if (right->is_set_)
            calc(right->value_);
    }
    bool is_better(const value_type &a, const value_type &b) const {
        return greatest ? (*compare_)(Candidate::key(b), Candidate::key(a))
                        : (*compare_)(Candidate::key(a), Candidate::key(b));
    }

    bool is_set() const { return is_set_; }
    void view_move_in(value_type &v) { view_set_value(v); }
    void view_move_out(value_type &v) { v = value_; }
    void view_set_value(const value_type &v) {
        value_ = v;
        is_set_ = true;
    }
    value_type view_get_value() const { return value_; }
    const value_type &value() const { return value_; }
    const key_type &get_reference() const { return Candidate::key(value_); }

private:
    typedef worst_value<key_type, Compare> worst;
    template <bool>
    struct flag {};
    typedef flag<worst::exists != 0> has_worst;

    bool replaces(const value_type &v, flag<false>) const {
        return !is_set_ || is_better(v, value_);
    }
    bool replaces(const value_type &v, flag<true>) const {
        return is_better(v, value_) || (!is_set_ && Candidate::key(v) == Candidate::key(value_));
    }

    value_type value_;
    bool is_set_;
    const Compare *compare_;
};

// The monoid keeps the comparison. A reducer's arguments are its first value, or an index and a
// value, and a comparison; each may be left out.
template <class View, typename Compare>
class extremum_monoid : public monoid_base<typename View::value_type, View> {
public:
    extremum_monoid() : compare_() {}
    explicit extremum_monoid(const Compare &compare) : compare_(compare) {}

    void identity(View *view) const { ::new (static_cast<void *>(view)) View(&compare_); }
    void reduce(View *left, View *right) const { left->reduce(right); }

    template <typename Monoid>
    static void construct(Monoid *monoid, View *view) {
        (::new (static_cast<void *>(monoid)) Monoid())->identity(view);
    }
    template <typename Monoid>
    static void construct(Monoid *monoid, View *view, const Compare &compare) {
        (::new (static_cast<void *>(monoid)) Monoid(compare))->identity(view);
    }
    template <typename Monoid>
    static void construct(Monoid *monoid, View *view, const Monoid &from) {
        (::new (static_cast<void *>(monoid)) Monoid(from))->identity(view);
    }
    template <typename Monoid, typename First>
    static void construct(Monoid *monoid, View *view, const First &first) {
        make(monoid, view, typename View::value_type(first), Compare());
    }
    template <typename Monoid>
    static void construct(Monoid *monoid, View *view,
                          const move_in_wrapper<typename View::value_type> &first) {
        make(monoid, view, first.value(), Compare());
    }
    template <typename Monoid, typename First>
    static void construct(Monoid *monoid, View *view, const First &first, const Compare &compare) {
        make(monoid, view, typename View::value_type(first), compare);
    }
    template <typename Monoid, typename Index, typename First>
    static void construct(Monoid *monoid, View *view, const Index &index, const First &first) {
        make(monoid, view, typename View::value_type(index, first), Compare());
    }
    template <typename Monoid, typename Index, typename First>
    static void construct(Monoid *monoid, View *view, const Index &index, const First &first,
                          const Compare &compare) {
        make(monoid, view, typename View::value_type(index, first), compare);
    }

private:
    template <typename Monoid>
    static void make(Monoid *monoid, View *view, const typename View::value_type &first,
                     const Compare &compare) {
        ::new (static_cast<void *>(monoid)) Monoid(compare);
        ::new (static_cast<void *>(view)) View(first, &monoid->compare_);
    }

    Compare compare_;
};

} // namespace internal

} // namespace cilk

// Defines op_max_view, op_max, op_max_index_view, op_max_index, max_of, and the older classes
// reducer_max and reducer_max_index; or the same for min. Programs write `r->calc_max(x)` or
// `*r = cilk::max_of(*r, x)`, and calc_max(i, x), max_of(*r, i, x) with an index.
#define SG_CILK_EXTREMUM(max, greatest)                                                            \
    namespace cilk {                                                                               \
    template <typename Type, typename Compare>                                                     \
    class op_##max##_view                                                                          \
        : public internal::extremum_view<internal::plain_candidate<Type>, Compare, greatest> {     \
        typedef internal::extremum_view<internal::plain_candidate<Type>, Compare, greatest> base;  \
                                                                                                   \
    public:                                                                                        \
        using base::base;                                                                          \
        op_##max##_view &calc_##max(const Type &x) {                                               \
            base::calc(x);                                                                         \
            return *this;                                                                          \
        }                                                                                          \
        op_##max##_view &operator=(const typename base::rhs_proxy &rhs) {                          \
            return calc_##max(rhs.value());                                                        \
        }                                                                                          \
    };                                                                                             \
    template <typename Type, typename Compare = std::less<Type>, bool Align = false>               \
    struct op_##max : internal::extremum_monoid<op_##max##_view<Type, Compare>, Compare> {         \
        op_##max() {}                                                                              \
        op_##max(const Compare &compare)                                                           \
            : internal::extremum_monoid<op_##max##_view<Type, Compare>, Compare>(compare) {}       \
    };                                                                                             \
    template <typename Index, typename Type, typename Compare>                                     \
    class op_##max##_index_view                                                                    \
        : public internal::extremum_view<internal::indexed_candidate<Index, Type>, Compare,        \
                                         greatest> {                                               \
        typedef internal::extremum_view<internal::indexed_candidate<Index, Type>, Compare,         \
                                        greatest>                                                  \
            base;                                                                                  \
                                                                                                   \
    public:                                                                                        \
        using base::base;                                                                          \
        typedef typename base::value_type value_type;                                              \
        op_##max##_index_view &calc_##max(const Index &i, const Type &x) {                         \
            base::calc(value_type(i, x));                                                          \
            return *this;                                                                          \
        }                                                                                          \
        op_##max##_index_view &calc_##max(const value_type &pair) {                                \
            base::calc(pair);                                                                      \
            return *this;                                                                          \
        }                                                                                          \
        op_##max##_index_view &operator=(const typename base::rhs_proxy &rhs) {                    \
            return calc_##max(rhs.value());                                                        \
        }                                                                                          \
        const Index &get_index_reference() const {                                                 \
            return base::value().first;                                                            \
        }                                                                                          \
    };                                                                                             \
    template <typename Index, typename Type, typename Compare = std::less<Type>,                   \
              bool Align = false>                                                                  \
    struct op_##max##_index                                                                        \
        : internal::extremum_monoid<op_##max##_index_view<Index, Type, Compare>, Compare> {        \
        op_##max##_index() {}                                                                      \
        op_##max##_index(const Compare &compare)                                                   \
            : internal::extremum_monoid<op_##max##_index_view<Index, Type, Compare>, Compare>(     \
                  compare) {}                                                                      \
    };                                                                                             \
                                                                                                   \
    template <typename Type, typename Compare>                                                     \
    class reducer_##max : public reducer<op_##max<Type, Compare>> {                                \
        typedef reducer<op_##max<Type, Compare>> base;                                             \
                                                                                                   \
    public:                                                                                        \
        typedef Type basic_value_type;                                                             \
        typedef typename base::view_type view_type;                                                \
        typedef typename base::view_type View;                                                     \
        typedef typename base::monoid_type Monoid;                                                 \
        typedef typename view_type::rhs_proxy rhs_proxy;                                           \
        using base::view;                                                                          \
                                                                                                   \
        reducer_##max() {}                                                                         \
        explicit reducer_##max(const Type &initial) : base(initial) {}                             \
        explicit reducer_##max(const Compare &compare) : base(compare) {}                          \
        reducer_##max(const Type &initial, const Compare &compare) : base(initial, compare) {}     \
        bool is_set() const {                                                                      \
            return view().is_set();                                                                \
        }                                                                                          \
        reducer_##max &calc_##max(const Type &x) {                                                 \
            view().calc_##max(x);                                                                  \
            return *this;                                                                          \
        }                                                                                          \
        reducer_##max &operator=(const rhs_proxy &rhs) {                                           \
            view() = rhs;                                                                          \
            return *this;                                                                          \
        }                                                                                          \
        const Type &get_reference() const {                                                        \
            return view().get_reference();                                                         \
        }                                                                                          \
        reducer_##max &operator*() {                                                               \
            return *this;                                                                          \
        }                                                                                          \
        const reducer_##max &operator*() const {                                                   \
            return *this;                                                                          \
        }                                                                                          \
        reducer_##max *operator->() {                                                              \
            return this;                                                                           \
        }                                                                                          \
        const reducer_##max *operator->() const {                                                  \
            return this;                                                                           \
        }                                                                                          \
    };                                                                                             \
    template <typename Index, typename Type, typename Compare>                                     \
    class reducer_##max##_index : public reducer<op_##max##_index<Index, Type, Compare>> {         \
        typedef reducer<op_##max##_index<Index, Type, Compare>> base;                              \
                                                                                                   \
    public:                                                                                        \
        typedef Type basic_value_type;                                                             \
        typedef typename base::view_type view_type;                                                \
        typedef typename base::view_type View;                                                     \
        typedef typename base::monoid_type Monoid;                                                 \
        typedef typename view_type::rhs_proxy rhs_proxy;                                           \
        using base::view;                                                                          \
                                                                                                   \
        reducer_##max##_index() {}                                                                 \
        reducer_##max##_index(const Index &index, const Type &initial) : base(index, initial) {}   \
        explicit reducer_##max##_index(const Compare &compare) : base(compare) {}                  \
        reducer_##max##_index(const Index &index, const Type &initial, const Compare &compare)     \
            : base(index, initial, compare) {}                                                     \
        void set_value(const Index &index, const Type &value) {                                    \
            base::set_value(typename base::value_type(index, value));                              \
        }                                                                                          \
        const Type &get_value() const {                                                            \
            return view().get_reference();                                                         \
        }                                                                                          \
        const Index &get_index() const {                                                           \
            return view().get_index_reference();                                                   \
        }                                                                                          \
        const Type &get_reference() const {                                                        \
            return view().get_reference();                                                         \
        }                                                                                          \
        const Index &get_index_reference() const {                                                 \
            return view().get_index_reference();                                                   \
        }                                                                                          \
        bool is_set() const {                                                                      \
            return view().is_set();                                                                \
        }                                                                                          \
        reducer_##max##_index &calc_##max(const Index &i, const Type &x) {                         \
            view().calc_##max(i, x);                                                               \
            return *this;                                                                          \
        }                                                                                          \
        reducer_##max##_index &operator=(const rhs_proxy &rhs) {                                   \
            view() = rhs;                                                                          \
            return *this;                                                                          \
        }                                                                                          \
        reducer_##max##_index &operator*() {                                                       \
            return *this;                                                                          \
        }                                                                                          \
        const reducer_##max##_index &operator*() const {                                           \
            return *this;                                                                          \
        }                                                                                          \
        reducer_##max##_index *operator->() {                                                      \
            return this;                                                                           \
        }                                                                                          \
        const reducer_##max##_index *operator->() const {                                          \
            return this;                                                                           \
        }                                                                                          \
    };                                                                                             \
    template <typename Type, typename Compare, bool Align>                                         \
    struct legacy_reducer_downcast<reducer<op_##max<Type, Compare, Align>>> {                      \
        typedef reducer_##max<Type, Compare> type;                                                 \
    };                                                                                             \
    template <typename Index, typename Type, typename Compare, bool Align>                         \
    struct legacy_reducer_downcast<reducer<op_##max##_index<Index, Type, Compare, Align>>> {       \
        typedef reducer_##max##_index<Index, Type, Compare> type;                                  \
    };                                                                                             \
                                                                                                   \
    template <typename Type, typename Compare>                                                     \
    inline typename op_##max##_view<Type, Compare>::rhs_proxy                                      \
        max##_of(const op_##max##_view<Type, Compare> &view, const Type &x) {                      \
        return typename op_##max##_view<Type, Compare>::rhs_proxy(x, view);                        \
    }                                                                                              \
    template <typename Type, typename Compare>                                                     \
    inline typename op_##max##_view<Type, Compare>::rhs_proxy                                      \
        max##_of(const Type &x, const op_##max##_view<Type, Compare> &view) {                      \
        return max##_of(view, x);                                                                  \
    }                                                                                              \
    template <typename Type, typename Compare>                                                     \
    inline typename op_##max##_view<Type, Compare>::rhs_proxy                                      \
        max##_of(const reducer_##max<Type, Compare> &r, const Type &x) {                           \
        return max##_of(r.view(), x);                                                              \
    }                                                                                              \
    template <typename Type, typename Compare>                                                     \
    inline typename op_##max##_view<Type, Compare>::rhs_proxy                                      \
        max##_of(const Type &x, const reducer_##max<Type, Compare> &r) {                           \
        return max##_of(r.view(), x);                                                              \
    }                                                                                              \
    template <typename Index, typename Type, typename Compare>                                     \
    inline typename op_##max##_index_view<Index, Type, Compare>::rhs_proxy                         \
        max##_of(const op_##max##_index_view<Index, Type, Compare> &view, const Index &i,          \
                 const Type &x) {                                                                  \
        return typename op_##max##_index_view<Index, Type, Compare>::rhs_proxy(                    \
            std::pair<Index, Type>(i, x), view);                                                   \
    }                                                                                              \
    template <typename Index, typename Type, typename Compare>                                     \
    inline typename op_##max##_index_view<Index, Type, Compare>::rhs_proxy                         \
        max##_of(const Index &i, const Type &x,                                                    \
                 const op_##max##_index_view<Index, Type, Compare> &view) {                        \
        return max##_of(view, i, x);                                                               \
    }                                                                                              \
    template <typename Index, typename Type, typename Compare>                                     \
    inline typename op_##max##_index_view<Index, Type, Compare>::rhs_proxy                         \
        max##_of(const op_##max##_index_view<Index, Type, Compare> &view,                          \
                 const std::pair<Index, Type> &pair) {                                             \
        return max##_of(view, pair.first, pair.second);                                            \
    }                                                                                              \
    template <typename Index, typename Type, typename Compare>                                     \
    inline typename op_##max##_index_view<Index, Type, Compare>::rhs_proxy                         \
        max##_of(const reducer_##max##_index<Index, Type, Compare> &r, const Index &i,             \
                 const Type &x) {                                                                  \
        return max##_of(r.view(), i, x);                                                           \
    }                                                                                              \
    template <typename Type, typename Compare>                                                     \
    inline internal::extremum_proxy<                                                               \
        internal::extremum_view<internal::plain_candidate<Type>, Compare, greatest>>               \
        max##_of(const internal::extremum_proxy<                                                   \
                     internal::extremum_view<internal::plain_candidate<Type>, Compare, greatest>>  \
                     &proxy,                                                                       \
                 const Type &x) {                                                                  \
        return proxy.with(x);                                                                      \
    }                                                                                              \
    template <typename Type, typename Compare>                                                     \
    inline internal::extremum_proxy<                                                               \
        internal::extremum_view<internal::plain_candidate<Type>, Compare, greatest>>               \
        max##_of(const Type &x, const internal::extremum_proxy<internal::extremum_view<            \
                                    internal::plain_candidate<Type>, Compare, greatest>> &proxy) { \
        return proxy.with(x);                                                                      \
    }                                                                                              \
    template <typename Index, typename Type, typename Compare>                                     \
    inline internal::extremum_proxy<                                                               \
        internal::extremum_view<internal::indexed_candidate<Index, Type>, Compare, greatest>>      \
        max##_of(const internal::extremum_proxy<internal::extremum_view<                           \
                     internal::indexed_candidate<Index, Type>, Compare, greatest>> &proxy,         \
                 const Index &i, const Type &x) {                                                  \
        return proxy.with(std::pair<Index, Type>(i, x));                                           \
    }                                                                                              \
    }

// The defaults stand on the declarations.
namespace cilk {
template <typename Type, typename Compare = std::less<Type>>
class reducer_max;
template <typename Index, typename Type, typename Compare = std::less<Type>>
class reducer_max_index;
template <typename Type, typename Compare = std::less<Type>>
class reducer_min;
template <typename Index, typename Type, typename Compare = std::less<Type>>
class reducer_min_index;
} // namespace cilk

SG_CILK_EXTREMUM(max, true)
SG_CILK_EXTREMUM(min, false)
#undef SG_CILK_EXTREMUM
