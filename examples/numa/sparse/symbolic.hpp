// SPDX-License-Identifier: MIT
// Which elements of a Cholesky factor are not zero, before any is computed.
#pragma once

#include "symmetric.hpp"

#include <cstddef>
#include <vector>

namespace saguaro::numa_examples {

/// Columns first .. last-1 of the factor, which have the same rows below them: a dense block of
/// height() x width(), stored by columns.
struct supernode {
    std::size_t width() const { return last - first; }
    std::size_t height() const { return width() + rows.size(); }

    index first;
    index last;
    std::vector<index> rows;     // below, ascending
    std::vector<index> children; // supernodes whose contributions this one adds up
    std::size_t begin;           // of its block, in doubles from the first block's
};

struct symbolic_factor {
    symmetric_matrix matrix;           // in the order of elimination
    std::vector<supernode> supernodes; // children first
    std::vector<index> roots;
    std::size_t doubles; // of all blocks
};

/// Orders the matrix and finds the supernodes of its factor. Small ones are joined to larger ones
/// that contain some zeros.
symbolic_factor analyze(const symmetric_matrix &matrix);

} // namespace saguaro::numa_examples
