// SPDX-License-Identifier: MIT
// Steps that constructors are made of: a datatype without the record of how it was made.
#pragma once

#include "mpi/datatypes/datatype.hpp"
#include "mpi/datatypes/layout.hpp"
#include "mpi/datatypes/signature.hpp"

#include <cstdint>
#include <vector>

namespace saguaro::mpi {

struct composition {
    layouts::placed layout;
    signature_pointer basics;
    bounds range;

    std::int64_t extent() const { return range.upper - range.lower; }
};

composition composition_of(const datatype_object &type);

// Each returns an error class: err_count if the result's size or a bound takes more than 63 bits.
// `count` is not negative.

// `count` of them, `stride` bytes apart.
int repeat(const composition &of, std::int64_t count, std::int64_t stride, composition *made);

// In this order; each one `count` times, an extent apart, from `displacement` on.
struct block {
    std::int64_t displacement;
    std::int64_t count;
    const composition *of;
};
int join(const std::vector<block> &blocks, composition *made);

int resize(const composition &of, std::int64_t lower, std::int64_t extent, composition *made);

} // namespace saguaro::mpi
