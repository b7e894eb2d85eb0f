// SPDX-License-Identifier: MIT
// Sparse symmetric matrices.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace saguaro::numa_examples {

using index = std::uint32_t;

/// The lower triangle by columns, the diagonal included: column j's entries are number begins[j] to
/// begins[j + 1] of `rows`, ascending, and of `values`.
struct symmetric_matrix {
    std::size_t n() const { return begins.size() - 1; }

    std::vector<std::size_t> begins;
    std::vector<index> rows;
    std::vector<double> values;
};

/// The matrix that `name` asks for: grid2d:K or grid3d:K, the Laplacian of a grid of K points a
/// side, or else the Matrix Market file of this name, symmetric and with values. Throws a
/// std::runtime_error, one line that says what is wrong and what is accepted.
symmetric_matrix symmetric_by_name(const std::string &name);

/// Row and column i of the result are number order[i] of the matrix.
symmetric_matrix permuted(const symmetric_matrix &matrix, const std::vector<index> &order);

/// The matrix times x.
std::vector<double> product(const symmetric_matrix &matrix, const std::vector<double> &x);

} // namespace saguaro::numa_examples
