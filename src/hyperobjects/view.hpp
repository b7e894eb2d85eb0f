// SPDX-License-Identifier: MIT
// The life of one view: memory, and what the monoid makes of it.
#pragma once

#include <new>

#include "saguaro/reducer.h"

namespace saguaro::hyperobjects {

// What the functions of the reducer's monoid get as context.
inline void *context_of(const sg_reducer *reducer) {
    void *const context = reducer->monoid->context;
    return context != nullptr ? context : const_cast<sg_reducer *>(reducer);
}

// Frees the memory of a view whose value has ended.
inline void free_view(const sg_monoid &monoid, void *view) noexcept {
    if (monoid.alignment > __STDCPP_DEFAULT_NEW_ALIGNMENT__)
        ::operator delete(view, monoid.size, std::align_val_t{monoid.alignment});
    else
        ::operator delete(view, monoid.size);
}

// Memory for a view of the monoid; null if there is none.
inline void *allocate_view(const sg_monoid &monoid) noexcept {
    if (monoid.alignment > __STDCPP_DEFAULT_NEW_ALIGNMENT__)
        return ::operator new(monoid.size, std::align_val_t{monoid.alignment}, std::nothrow);
    return ::operator new(monoid.size, std::nothrow);
}

// A new identity view. Throws std::bad_alloc, and what the monoid's identity throws.
inline void *make_identity(const sg_reducer *reducer) {
    const sg_monoid &monoid = *reducer->monoid;
    void *const view = allocate_view(monoid);
    if (view == nullptr)
        throw std::bad_alloc();
    try {
        monoid.identity(view, context_of(reducer));
    } catch (...) {
        free_view(monoid, view);
        throw;
    }
    return view;
}

// Ends the value of a view, not its memory.
inline void end_value(const sg_reducer *reducer, void *view) noexcept {
    if (reducer->monoid->destroy != nullptr)
        reducer->monoid->destroy(view, context_of(reducer));
}

// Ends a view that `make_identity` made.
inline void destroy_view(const sg_reducer *reducer, void *view) noexcept {
    end_value(reducer, view);
    free_view(*reducer->monoid, view);
}

// left = left (x) right; `right` is then gone.
inline void reduce_views(const sg_reducer *reducer, void *left, void *right) noexcept {
    reducer->monoid->reduce(left, right, context_of(reducer));
    destroy_view(reducer, right);
}

} // namespace saguaro::hyperobjects
