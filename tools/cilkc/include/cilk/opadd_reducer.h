/* SPDX-License-Identifier: MIT */
/* OpenCilk's sum that is used like a variable: for C++ alone. */
#pragma once

#ifdef __cplusplus

#pragma GCC system_header

#include <cilk/cxx/reducer.hpp>

namespace cilk {

namespace internal {

template <typename T>
struct plain_sum : monoid_base<T> {
    void reduce(T *left, T *right) const { *left += *right; }
    void identity(T *view) const { ::new (static_cast<void *>(view)) T(0); }
};

} // namespace internal

/* cilk::opadd_reducer<long> sum = 0; sum += x; */
template <typename T>
class opadd_reducer {
public:
    opadd_reducer() : views_(T(0)) {}
    opadd_reducer(const T &initial) : views_(initial) {}
    opadd_reducer(const opadd_reducer &from) : views_(static_cast<const T &>(from)) {}
    opadd_reducer &operator=(const opadd_reducer &from) {
        views_.view() = static_cast<const T &>(from);
        return *this;
    }

    operator T &() { return views_.view(); }
    operator const T &() const { return views_.view(); }
    T &operator=(const T &x) { return views_.view() = x; }
    template <typename U>
    T &operator+=(const U &x) {
        return views_.view() += x;
    }
    template <typename U>
    T &operator-=(const U &x) {
        return views_.view() -= x;
    }
    T &operator++() { return ++views_.view(); }
    T &operator--() { return --views_.view(); }
    T operator++(int) { return views_.view()++; }
    T operator--(int) { return views_.view()--; }

private:
    reducer<internal::plain_sum<T>> views_;
};

} // namespace cilk

#endif
