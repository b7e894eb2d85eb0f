// SPDX-License-Identifier: MIT
// Values added up: what <cilk/reducer_opadd.h> is in C++.
#pragma once

#pragma GCC system_header

#include <cilk/cxx/reducer.hpp>

namespace cilk {

// Programs write `*r += x`, `++*r` and so on, or `*r = *r + x - y`.
template <typename Type>
class op_add_view : public scalar_view<Type> {
public:
    class rhs_proxy {
    public:
        rhs_proxy &operator+(const Type &x) {
            value_ += x;
            return *this;
        }
        rhs_proxy &operator-(const Type &x) {
            value_ -= x;
            return *this;
        }

    private:
        friend class op_add_view;
        explicit rhs_proxy(const Type &x) : value_(x) {}
        Type value_;
    };

    op_add_view() {}
    explicit op_add_view(const Type &v) : scalar_view<Type>(v) {}
    void reduce(op_add_view *right) { this->m_value += right->m_value; }
    op_add_view &operator+=(const Type &x) {
        this->m_value += x;
        return *this;
    }
    op_add_view &operator-=(const Type &x) {
        this->m_value -= x;
        return *this;
    }
    op_add_view &operator++() {
        ++this->m_value;
        return *this;
    }
    op_add_view &operator--() {
        --this->m_value;
        return *this;
    }
    void operator++(int) { ++this->m_value; }
    void operator--(int) { --this->m_value; }
    rhs_proxy operator+(const Type &x) const { return rhs_proxy(x); }
    rhs_proxy operator-(const Type &x) const { return rhs_proxy(-x); }
    op_add_view &operator=(const rhs_proxy &rhs) { return *this += rhs.value_; }
};

template <typename Type, bool Align = false>
struct op_add : monoid_with_view<op_add_view<Type>, Align> {};

// The older class: `r += x`, `++r`.
template <typename Type>
class reducer_opadd : public reducer<op_add<Type>> {
    typedef reducer<op_add<Type>> base;

public:
    typedef typename base::view_type view_type;
    typedef typename base::view_type View;
    typedef typename base::monoid_type Monoid;
    typedef typename view_type::rhs_proxy rhs_proxy;
    using base::view;

    reducer_opadd() {}
    explicit reducer_opadd(const Type &initial) : base(initial) {}
    reducer_opadd &operator+=(const Type &x) {
        view() += x;
        return *this;
    }
    reducer_opadd &operator-=(const Type &x) {
        view() -= x;
        return *this;
    }
    reducer_opadd &operator++() {
        ++view();
        return *this;
    }
    reducer_opadd &operator--() {
        --view();
        return *this;
    }
    void operator++(int) { ++view(); }
    void operator--(int) { --view(); }
    friend rhs_proxy operator+(const reducer_opadd &r, const Type &x) { return r.view() + x; }
    friend rhs_proxy operator-(const reducer_opadd &r, const Type &x) { return r.view() - x; }
    reducer_opadd &operator=(const rhs_proxy &rhs) {
        view() = rhs;
        return *this;
    }
    Type &get_reference() { return view().view_get_reference(); }
    const Type &get_reference() const { return view().view_get_reference(); }
    reducer_opadd &operator*() { return *this; }
    const reducer_opadd &operator*() const { return *this; }
    reducer_opadd *operator->() { return this; }
    const reducer_opadd *operator->() const { return this; }
};

template <typename Type, bool Align>
struct legacy_reducer_downcast<reducer<op_add<Type, Align>>> {
    typedef reducer_opadd<Type> type;
};

} // namespace cilk
