// SPDX-License-Identifier: MIT
// Memory on the node of the calling thread, with an alignment and an exception.
#pragma once

#include "saguaro/detail/exceptions.hpp"
#include "saguaro/place.h"

#include <cstddef>
#include <limits>
#include <new>

namespace saguaro::detail {

// What sg_malloc_local promises of blocks above 64 KB, and sg_malloc_place of all.
inline constexpr std::size_t page_alignment = 4096;

// A block of a power of two is aligned to its size, so one that is large enough is aligned.
inline void *allocate_local(std::size_t bytes, std::size_t alignment) {
    void *p = nullptr;
    if (alignment <= alignof(std::max_align_t)) {
        p = sg_malloc_local(bytes);
    } else if (alignment <= page_alignment &&
               bytes <= std::numeric_limits<std::size_t>::max() / 4) {
        std::size_t size = alignment;
        while (size < bytes)
            size *= 2;
        p = sg_malloc_local(size);
    }
    if (p == nullptr)
        throw_error<std::bad_alloc>();
    return p;
}

} // namespace saguaro::detail
