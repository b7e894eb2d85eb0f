// SPDX-License-Identifier: MIT
// Lists to which strands add at one end: what <cilk/reducer_list.h> is in C++. Joining two takes
// constant time, if their allocators are equal.
#pragma once

#pragma GCC system_header

#include <cilk/cxx/containers.hpp>

#include <list>
#include <memory>

namespace cilk {

template <class Type, class Allocator = std::allocator<Type>>
class op_list_append_view : public internal::container_view<std::list<Type, Allocator>> {
    typedef std::list<Type, Allocator> list;

public:
    using internal::container_view<list>::container_view;

    void push_back(const Type &element) { this->m_value.push_back(element); }
    void insert_back(typename list::size_type n, const Type &element) {
        this->m_value.insert(this->m_value.end(), n, element);
    }
    template <typename Iterator>
    void insert_back(Iterator first, Iterator last) {
        this->m_value.insert(this->m_value.end(), first, last);
    }
    void splice_back(list &x) { this->m_value.splice(this->m_value.end(), x); }
    void splice_back(list &x, typename list::iterator i) {
        this->m_value.splice(this->m_value.end(), x, i);
    }
    void splice_back(list &x, typename list::iterator first, typename list::iterator last) {
        this->m_value.splice(this->m_value.end(), x, first, last);
    }
    void reduce(op_list_append_view *right) {
        if (internal::share_memory(this->m_value, right->m_value))
            splice_back(right->m_value);
        else
            internal::insert_moved(this->m_value, this->m_value.end(), right->m_value);
    }
};

template <class Type, class Allocator = std::allocator<Type>>
class op_list_prepend_view : public internal::container_view<std::list<Type, Allocator>> {
    typedef std::list<Type, Allocator> list;

public:
    using internal::container_view<list>::container_view;

    void push_front(const Type &element) { this->m_value.push_front(element); }
    void insert_front(typename list::size_type n, const Type &element) {
        this->m_value.insert(this->m_value.begin(), n, element);
    }
    template <typename Iterator>
    void insert_front(Iterator first, Iterator last) {
        this->m_value.insert(this->m_value.begin(), first, last);
    }
    void splice_front(list &x) { this->m_value.splice(this->m_value.begin(), x); }
    void splice_front(list &x, typename list::iterator i) {
        this->m_value.splice(this->m_value.begin(), x, i);
    }
    void splice_front(list &x, typename list::iterator first, typename list::iterator last) {
        this->m_value.splice(this->m_value.begin(), x, first, last);
    }
    void reduce(op_list_prepend_view *right) {
        if (internal::share_memory(this->m_value, right->m_value))
            splice_front(right->m_value);
        else
            internal::insert_moved(this->m_value, this->m_value.begin(), right->m_value);
    }
};

template <class Type, class Allocator = std::allocator<Type>, bool Align = false>
struct op_list_append : monoid_with_view<op_list_append_view<Type, Allocator>, Align> {};

template <class Type, class Allocator = std::allocator<Type>, bool Align = false>
struct op_list_prepend : monoid_with_view<op_list_prepend_view<Type, Allocator>, Align> {};

// The older classes.
template <class Type, class Allocator = std::allocator<Type>>
class reducer_list_append : public internal::legacy_container<reducer_list_append<Type, Allocator>,
                                                              op_list_append<Type, Allocator>> {
    typedef internal::legacy_container<reducer_list_append, op_list_append<Type, Allocator>> base;

public:
    typedef std::list<Type, Allocator> list_type;
    typedef Type list_value_type;
    typedef Type basic_value_type;
    typedef op_list_append<Type, Allocator> Monoid;

    reducer_list_append() {}
    reducer_list_append(const list_type &initial) : base(initial) {}
    void push_back(const Type &element) { this->view().push_back(element); }
};

template <class Type, class Allocator = std::allocator<Type>>
class reducer_list_prepend
    : public internal::legacy_container<reducer_list_prepend<Type, Allocator>,
                                        op_list_prepend<Type, Allocator>> {
    typedef internal::legacy_container<reducer_list_prepend, op_list_prepend<Type, Allocator>> base;

public:
    typedef std::list<Type, Allocator> list_type;
    typedef Type list_value_type;
    typedef Type basic_value_type;
    typedef op_list_prepend<Type, Allocator> Monoid;

    reducer_list_prepend() {}
    reducer_list_prepend(const list_type &initial) : base(initial) {}
    void push_front(const Type &element) { this->view().push_front(element); }
};

template <class Type, class Allocator, bool Align>
struct legacy_reducer_downcast<reducer<op_list_append<Type, Allocator, Align>>> {
    typedef reducer_list_append<Type, Allocator> type;
};
template <class Type, class Allocator, bool Align>
struct legacy_reducer_downcast<reducer<op_list_prepend<Type, Allocator, Align>>> {
    typedef reducer_list_prepend<Type, Allocator> type;
};

} // namespace cilk
