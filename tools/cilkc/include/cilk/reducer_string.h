/* SPDX-License-Identifier: MIT */
/* A string to which strands append, in serial order: Cilk Plus's, for C++ alone. See
 * <cilk/reducer.h>. */
#pragma once

#ifdef __cplusplus

#pragma GCC system_header

#include <cilk/cxx/containers.hpp>

#include <memory>
#include <string>

namespace cilk {

/* Joining copies the later string. */
template <typename Char, typename Traits, typename Allocator>
class op_basic_string_view
    : public internal::container_view<std::basic_string<Char, Traits, Allocator>> {
    typedef std::basic_string<Char, Traits, Allocator> string;

public:
    using internal::container_view<string>::container_view;

    template <typename T>
    op_basic_string_view &operator+=(const T &x) {
        this->m_value += x;
        return *this;
    }
    template <typename... A>
    op_basic_string_view &append(const A &...arguments) {
        this->m_value.append(arguments...);
        return *this;
    }
    void push_back(Char x) { this->m_value.push_back(x); }
    void reduce(op_basic_string_view *right) {
        if (this->m_value.empty() && internal::share_memory(this->m_value, right->m_value))
            this->m_value.swap(right->m_value);
        else
            this->m_value += right->m_value;
    }
};

template <typename Char, typename Traits = std::char_traits<Char>,
          typename Allocator = std::allocator<Char>, bool Align = false>
struct op_basic_string : monoid_with_view<op_basic_string_view<Char, Traits, Allocator>, Align> {};

typedef op_basic_string<char> op_string;
typedef op_basic_string<wchar_t> op_wstring;

/* The older class. */
template <typename Char, typename Traits = std::char_traits<Char>,
          typename Allocator = std::allocator<Char>>
class reducer_basic_string
    : public internal::legacy_container<reducer_basic_string<Char, Traits, Allocator>,
                                        op_basic_string<Char, Traits, Allocator>> {
    typedef internal::legacy_container<reducer_basic_string,
                                       op_basic_string<Char, Traits, Allocator>>
        base;

public:
    typedef std::basic_string<Char, Traits, Allocator> string_type;
    typedef Char basic_value_type;
    typedef typename string_type::size_type size_type;
    typedef op_basic_string<Char, Traits, Allocator> Monoid;

    using base::base;
    reducer_basic_string() {}
    template <typename... A>
    void append(const A &...arguments) {
        this->view().append(arguments...);
    }
    template <typename T>
    reducer_basic_string &operator+=(const T &x) {
        this->view() += x;
        return *this;
    }
};

typedef reducer_basic_string<char> reducer_string;
typedef reducer_basic_string<wchar_t> reducer_wstring;

template <typename Char, typename Traits, typename Allocator, bool Align>
struct legacy_reducer_downcast<reducer<op_basic_string<Char, Traits, Allocator, Align>>> {
    typedef reducer_basic_string<Char, Traits, Allocator> type;
};

} // namespace cilk

#endif
