// SPDX-License-Identifier: MIT
// The life of one view: memory, and what the monoid makes of it.
#pragma once

#include <cstddef>
#include <new>

#include "numa/near.hpp"
#include "saguaro/reducer.h"

namespace saguaro::hyperobjects {

// What the functions of the reducer's monoid get as context.
inline void *context_of(const sg_reducer *reducer) {
    void *const context = reducer->monoid->context;
    return context != nullptr ? context : const_cast<sg_reducer *>(reducer);
}

// Views of up to this size are asked for in multiples of the granule, so that the memory of one
// serves for another of nearly the same size (view_cache).
inline constexpr std::size_t small_view_bytes = 64;
inline constexpr std::size_t view_granule = 16;

// The bytes to ask for.
inline std::size_t view_bytes(const sg_monoid &monoid) {
    return monoid.size > small_view_bytes ? monoid.size
                                          : (monoid.size + view_granule - 1) & ~(view_granule - 1);
}

// Whether views of the monoid lie on the node of whoever makes them: where there are several nodes,
// unless the monoid asks for more than a page's alignment.
inline bool is_placed(const sg_monoid &monoid) {
    return numa::node_count() > 1 && monoid.alignment <= numa::most_near_alignment;
}

// Frees the memory of a view whose value has ended.
inline void free_view(const sg_monoid &monoid, void *view) noexcept {
    if (is_placed(monoid)) [[unlikely]]
        numa::give_near(view);
    else if (monoid.alignment > __STDCPP_DEFAULT_NEW_ALIGNMENT__)
        ::operator delete(view, view_bytes(monoid), std::align_val_t{monoid.alignment});
    else
        ::operator delete(view, view_bytes(monoid));
}

// Memory for a view of the monoid; null if there is none.
inline void *allocate_view(const sg_monoid &monoid) noexcept {
    if (is_placed(monoid)) [[unlikely]]
        return numa::take_near(view_bytes(monoid), monoid.alignment);
    if (monoid.alignment > __STDCPP_DEFAULT_NEW_ALIGNMENT__)
        return ::operator new(view_bytes(monoid), std::align_val_t{monoid.alignment}, std::nothrow);
    return ::operator new(view_bytes(monoid), std::nothrow);
}

// Ends the value of a view, not its memory.
inline void end_value(const sg_reducer *reducer, void *view) noexcept {
    if (reducer->monoid->destroy != nullptr)
        reducer->monoid->destroy(view, context_of(reducer));
}

// Ends a view that a lookup made.
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
