/* SPDX-License-Identifier: MIT */
/* What Cilk Plus's own reducers were made of, for programs that use it too: for C++ alone. */
#pragma once

#ifdef __cplusplus

#pragma GCC system_header

#include <cstddef>
#include <functional>

namespace cilk {

namespace internal {

/* Whether objects of the class have no data. */
template <class Class>
struct class_is_empty {
    static const bool value = __is_empty(Class);
};

/* Memory for an object of such a size. */
template <std::size_t Size, std::size_t Alignment>
struct aligned_storage {
    alignas(Alignment) char m_bytes[Size];
};

/* Memory for an object of the type, which the program makes and destroys. */
template <class Type>
struct storage_for_object : aligned_storage<sizeof(Type), alignof(Type)> {
    Type &object() { return *reinterpret_cast<Type *>(this); }
    const Type &object() const { return *reinterpret_cast<const Type *>(this); }
};

/* A function object of two arguments: the functor itself, or one that calls the function. */
template <class Functor>
struct binary_functor {
    typedef Functor type;
};
template <class Result, class First, class Second>
struct binary_functor<Result (*)(First, Second)> {
    typedef std::function<Result(First, Second)> type;
};

} // namespace internal

} // namespace cilk

#endif
