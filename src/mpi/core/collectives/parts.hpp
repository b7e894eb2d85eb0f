// SPDX-License-Identifier: MIT
// The elements of each rank in an array: one part after the other, or each at a place of its own.
#pragma once

#include "mpi/core/collectives/collective.hpp"

#include <cstdint>

namespace saguaro::mpi {

// Both are called with a rank, or a neighbour's number, and the type.
inline auto equal_parts(const void *base, std::int64_t count) {
    return [=](int which, const datatype_object &type) {
        return elements(base, which * count, count, type);
    };
}

inline auto parts_at(const void *base, const std::int64_t *counts, const std::int64_t *places) {
    return [=](int which, const datatype_object &type) {
        return elements(base, places[which], counts[which], type);
    };
}

} // namespace saguaro::mpi
