// SPDX-License-Identifier: MIT
// Cilk Plus's reducers by an operator, except +: for <cilk/reducer_opand.h> and its kin.
#pragma once

#pragma GCC system_header

#include <cilk/cxx/reducer.hpp>

// Defines op_NAME_view, the monoid op_NAME and the older class reducer_LEGACY. Programs write
// `*r OP= x` or `*r = *r OP x OP y`; with the older class `r OP= x` as well.
#define SG_CILK_OPERATOR_REDUCER(NAME, LEGACY, OP, IDENTITY)                                       \
    namespace cilk {                                                                               \
    template <typename Type>                                                                       \
    class NAME##_view : public scalar_view<Type> {                                                 \
    public:                                                                                        \
        class rhs_proxy {                                                                          \
        public:                                                                                    \
            rhs_proxy &operator OP(const Type & x) {                                               \
                value_ = static_cast<Type>(value_ OP x);                                           \
                return *this;                                                                      \
            }                                                                                      \
                                                                                                   \
        private:                                                                                   \
            friend class NAME##_view;                                                              \
            explicit rhs_proxy(const Type &x) : value_(x) {}                                       \
            Type value_;                                                                           \
        };                                                                                         \
                                                                                                   \
        NAME##_view() : scalar_view<Type>(static_cast<Type>(IDENTITY)) {}                          \
        explicit NAME##_view(const Type &v) : scalar_view<Type>(v) {}                              \
        void reduce(NAME##_view *right) {                                                          \
            *this OP## = right->m_value;                                                           \
        }                                                                                          \
        NAME##_view &operator OP##=(const Type & x) {                                              \
            this->m_value = static_cast<Type>(this->m_value OP x);                                 \
            return *this;                                                                          \
        }                                                                                          \
        rhs_proxy operator OP(const Type &x) const {                                               \
            return rhs_proxy(x);                                                                   \
        }                                                                                          \
        NAME##_view &operator=(const rhs_proxy &rhs) {                                             \
            return *this OP## = rhs.value_;                                                        \
        }                                                                                          \
    };                                                                                             \
                                                                                                   \
    template <typename Type, bool Align = false>                                                   \
    struct NAME : monoid_with_view<NAME##_view<Type>, Align> {};                                   \
                                                                                                   \
    template <typename Type>                                                                       \
    class LEGACY : public reducer<NAME<Type>> {                                                    \
        typedef reducer<NAME<Type>> base;                                                          \
                                                                                                   \
    public:                                                                                        \
        typedef typename base::view_type view_type;                                                \
        typedef typename base::view_type View;                                                     \
        typedef typename base::monoid_type Monoid;                                                 \
        typedef typename view_type::rhs_proxy rhs_proxy;                                           \
        using base::view;                                                                          \
                                                                                                   \
        LEGACY() {}                                                                                \
        explicit LEGACY(const Type &initial) : base(initial) {}                                    \
        LEGACY &operator OP##=(const Type & x) {                                                   \
            view() OP## = x;                                                                       \
            return *this;                                                                          \
        }                                                                                          \
        friend rhs_proxy operator OP(const LEGACY &r, const Type &x) {                             \
            return r.view() OP x;                                                                  \
        }                                                                                          \
        LEGACY &operator=(const rhs_proxy &rhs) {                                                  \
            view() = rhs;                                                                          \
            return *this;                                                                          \
        }                                                                                          \
        Type &get_reference() {                                                                    \
            return view().view_get_reference();                                                    \
        }                                                                                          \
        const Type &get_reference() const {                                                        \
            return view().view_get_reference();                                                    \
        }                                                                                          \
        LEGACY &operator*() {                                                                      \
            return *this;                                                                          \
        }                                                                                          \
        const LEGACY &operator*() const {                                                          \
            return *this;                                                                          \
        }                                                                                          \
        LEGACY *operator->() {                                                                     \
            return this;                                                                           \
        }                                                                                          \
        const LEGACY *operator->() const {                                                         \
            return this;                                                                           \
        }                                                                                          \
    };                                                                                             \
                                                                                                   \
    template <typename Type, bool Align>                                                           \
    struct legacy_reducer_downcast<reducer<NAME<Type, Align>>> {                                   \
        typedef LEGACY<Type> type;                                                                 \
    };                                                                                             \
    }
