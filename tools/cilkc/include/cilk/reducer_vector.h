/* SPDX-License-Identifier: MIT */
/* A vector to which strands append, in serial order: Cilk Plus's, for C++ alone. See
 * <cilk/reducer.h>. */
#pragma once

#ifdef __cplusplus

#pragma GCC system_header

#include <cilk/cxx/containers.hpp>

#include <memory>
#include <vector>

namespace cilk {

/* Joining moves the elements of the later vector. */
template <typename Type, typename Allocator = std::allocator<Type>>
class op_vector_view : public internal::container_view<std::vector<Type, Allocator>> {
    typedef std::vector<Type, Allocator> vector;

public:
    using internal::container_view<vector>::container_view;

    void push_back(const Type &element) { this->m_value.push_back(element); }
    void insert_back(const Type &element) { push_back(element); }
    void insert_back(typename vector::size_type n, const Type &element) {
        this->m_value.insert(this->m_value.end(), n, element);
    }
    template <typename Iterator>
    void insert_back(Iterator first, Iterator last) {
        this->m_value.insert(this->m_value.end(), first, last);
    }
    void reduce(op_vector_view *right) {
        if (this->m_value.empty() && internal::share_memory(this->m_value, right->m_value))
            this->m_value.swap(right->m_value);
        else
            internal::insert_moved(this->m_value, this->m_value.end(), right->m_value);
    }
};

template <typename Type, typename Allocator = std::allocator<Type>>
struct op_vector : monoid_with_view<op_vector_view<Type, Allocator>> {};

} // namespace cilk

#endif
