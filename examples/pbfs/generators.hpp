// SPDX-License-Identifier: MIT
// Graphs that are computed and not read. The same arguments give the same graph, anywhere.
#pragma once

#include "graph.hpp"

#include <optional>
#include <string>

namespace saguaro::pbfs {

/// The matrix of the 7-point stencil on a cube of K x K x K points: each vertex has an edge to its
/// up to six neighbours and, as in the published matrix grid3d200, to itself, so that there are
/// 7K^3 - 6K^2 edges. Vertex 0 is a corner; from it the search has 3K - 2 layers.
/// K is 1 to 1625. Throws a fault for another K, or if memory does not suffice.
graph grid3d(unsigned long k);

/// A scale-free directed graph (R-MAT) of 2^SCALE vertices, most of them isolated. 95/8 edges a
/// vertex are drawn, each by choosing a quadrant of the adjacency matrix SCALE times with the
/// probabilities 0.7, 0.1, 0.1, 0.1; repeated edges are dropped. These numbers reproduce the
/// published rmat23 (2.3 million vertices, 77.9 million edges): at SCALE 23 there are 78 million
/// edges, and 2.3 million of the 8.4 million vertices have any that leave them. Vertex 0 has the
/// highest degree. SCALE is 1 to 31. Throws a fault for another, or if memory does not suffice.
graph rmat(unsigned long scale);

/// The graph that `name` asks for, "grid3d:K" or "rmat:SCALE", or as in published tables grid3d200
/// or rmat23; nothing if it has neither form's beginning. Throws a fault if what follows the colon
/// is no number, and as above.
std::optional<graph> generate(const std::string &name);

} // namespace saguaro::pbfs
