/* SPDX-License-Identifier: MIT */
/* Cilk Plus's holder, a variable of which each strand has its own: for C++ alone. */
#pragma once

#ifdef __cplusplus

#pragma GCC system_header

#include <cilk/cxx/reducer.hpp>

#include <algorithm>
#include <memory>

namespace cilk {

/* Which of two views stays when strands are joined: any, or the serially last one. */
enum holder_policy {
    holder_keep_indeterminate,
    holder_keep_last,
    holder_keep_last_copy,
    holder_keep_last_swap,
    holder_keep_last_move
};

namespace internal {

/* Makes the values of a holder. */
template <typename Type>
struct holder_maker {
    virtual ~holder_maker() {}
    virtual void make(void *place) const = 0;
    virtual holder_maker *copy() const = 0;
};
template <typename Type, typename Function>
struct holder_maker_by : holder_maker<Type> {
    explicit holder_maker_by(const Function &f) : function(f) {}
    void make(void *place) const override { ::new (place) Type(function()); }
    holder_maker_by *copy() const override { return new holder_maker_by(function); }
    Function function;
};

} /* namespace internal */

template <typename Type, holder_policy Policy = holder_keep_indeterminate,
          typename Allocator = std::allocator<Type>>
class holder_monoid : public monoid_base<Type> {
public:
    holder_monoid() : make_(nullptr) {}
    /* Of what make() returns. */
    template <typename Function>
    static holder_monoid by(const Function &make) {
        holder_monoid m;
        m.make_ = new internal::holder_maker_by<Type, Function>(make);
        return m;
    }
    holder_monoid(const holder_monoid &from)
        : make_(from.make_ != nullptr ? from.make_->copy() : nullptr) {}
    holder_monoid &operator=(const holder_monoid &) = delete;
    ~holder_monoid() { delete make_; }

    void identity(Type *view) const {
        if (make_ != nullptr)
            make_->make(view);
        else
            ::new (static_cast<void *>(view)) Type();
    }
    void reduce(Type *left, Type *right) const { join(left, right, policy<Policy>()); }

private:
    template <holder_policy P>
    struct policy {};
    static void join(Type *, Type *, policy<holder_keep_indeterminate>) {}
    static void join(Type *left, Type *right, policy<holder_keep_last_copy>) { *left = *right; }
    static void join(Type *left, Type *right, policy<holder_keep_last_swap>) {
        using std::swap;
        swap(*left, *right);
    }
    template <holder_policy P>
    static void join(Type *left, Type *right, policy<P>) {
        *left = static_cast<Type &&>(*right);
    }

    const internal::holder_maker<Type> *make_;
};

/* Used as a pointer to the strand's own Type, or by h(). A new view is Type(), a copy of the value
 * given to the constructor, or what the function given to it returns. */
template <typename Type, holder_policy Policy = holder_keep_indeterminate,
          typename Allocator = std::allocator<Type>>
class holder : public reducer<holder_monoid<Type, Policy, Allocator>> {
    typedef holder_monoid<Type, Policy, Allocator> monoid;
    typedef reducer<monoid> base;

public:
    holder() : base(monoid()) {}
    holder(const Type &value) : base(monoid::by([value] { return value; })) {}
    template <typename Function,
              typename = decltype(Type((*static_cast<const Function *>(nullptr))()))>
    holder(const Function &make) : base(monoid::by(make)) {}
};

} // namespace cilk

#endif
