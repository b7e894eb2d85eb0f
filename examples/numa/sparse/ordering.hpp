// SPDX-License-Identifier: MIT
// In which order to eliminate.
#pragma once

#include "symmetric.hpp"

namespace saguaro::numa_examples {

/// Nested dissection: a set of vertices that cuts the matrix' graph into two parts comes behind
/// both parts, which are cut in the same way. So the factor stays sparse, and the parts are
/// independent of each other. The cut is a level of a breadth-first search from the graph's edge
/// (George and Liu).
std::vector<index> nested_dissection(const symmetric_matrix &matrix);

} // namespace saguaro::numa_examples
