// SPDX-License-Identifier: MIT
// Lists, vectors and strings in serial order: for <cilk/reducer_list.h>, <cilk/reducer_vector.h>
// and <cilk/reducer_string.h> in C++. Each view but the first has an allocator of its own, made by
// default. What one allocator has given never goes to another one that differs.
#pragma once

#pragma GCC system_header

#include <cilk/cxx/reducer.hpp>

#include <iterator>
#include <utility>

namespace cilk {

namespace internal {

// Whether memory may go from one container to the other.
template <class Container>
bool share_memory(const Container &a, const Container &b) {
    return a.get_allocator() == b.get_allocator();
}

// Iterators that move the elements of a container, where the standard library can.
#if __cplusplus >= 201103L
template <class Iterator>
std::move_iterator<Iterator> moving(Iterator i) {
    return std::make_move_iterator(i);
}
#else
template <class Iterator>
Iterator moving(Iterator i) {
    return i;
}
#endif

// Adds the elements of `from`, which has other memory, before `at`.
template <class Container>
void insert_moved(Container &to, typename Container::iterator at, Container &from) {
    to.insert(at, moving(from.begin()), moving(from.end()));
    from.clear();
}

// Moves the contents.
template <class Container>
void hand_over(Container &from, Container &to) {
    to.clear();
    if (share_memory(from, to))
        to.swap(from);
    else
        insert_moved(to, to.end(), from);
}

// A view that is a container. A reducer's arguments are the container's.
template <class Container>
class container_view {
public:
    typedef Container value_type;
    typedef const Container &return_type_for_get_value;

    container_view() {}
    template <typename... A>
    explicit container_view(const A &...arguments) : m_value(arguments...) {}
    explicit container_view(const move_in_wrapper<Container> &from)
        : m_value(from.value().get_allocator()) {
        m_value.swap(from.value());
    }
    container_view(const container_view &) = delete;
    container_view &operator=(const container_view &) = delete;

    void view_move_in(Container &v) { hand_over(v, m_value); }
    void view_move_out(Container &v) { hand_over(m_value, v); }
    void view_set_value(const Container &v) { m_value = v; }
    const Container &view_get_value() const { return m_value; }
    Container &view_get_reference() { return m_value; }
    const Container &view_get_reference() const { return m_value; }

protected:
    Container m_value;
};

// What the older classes have in common: they are used without `*`.
template <class Self, class Monoid>
class legacy_container : public reducer<Monoid> {
    typedef reducer<Monoid> base;

public:
    typedef typename base::view_type View;
    using base::view;

    legacy_container() {}
    template <typename First, typename... Rest>
    explicit legacy_container(const First &first, const Rest &...rest) : base(first, rest...) {}
    typename base::value_type &get_reference() { return view().view_get_reference(); }
    const typename base::value_type &get_reference() const { return view().view_get_reference(); }
    Self &operator*() { return static_cast<Self &>(*this); }
    const Self &operator*() const { return static_cast<const Self &>(*this); }
    Self *operator->() { return static_cast<Self *>(this); }
    const Self *operator->() const { return static_cast<const Self *>(this); }
};

} // namespace internal

} // namespace cilk
