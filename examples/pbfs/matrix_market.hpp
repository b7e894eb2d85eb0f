// SPDX-License-Identifier: MIT
// Graphs, and symmetric matrices, from Matrix Market files.
#pragma once

#include "graph.hpp"

#include <string>
#include <vector>

namespace saguaro::pbfs {

/// Reads a square sparse matrix as a graph: an entry in row i, column j is the edge from vertex
/// i - 1 to vertex j - 1 and, in a symmetric matrix, the edge back; entries on the diagonal are
/// self loops. Values are checked for their form and otherwise ignored, zeros too.
///
/// Accepted: object matrix, format coordinate, field pattern, real or integer, symmetry general or
/// symmetric; plain or compressed with gzip; words of the banner in any case, blank lines anywhere,
/// comments before the size line. Throws a fault "FILE:LINE: what is wrong, what is accepted" for
/// anything else, without the line where the file cannot be opened or read, and std::bad_alloc when
/// memory runs out. Memory grows with the entries read, whatever number of them the file declares;
/// the progress goes to standard error. `instead`: what the program takes instead of a file, for
/// the fault of a file that cannot be opened.
graph read_matrix_market(const std::string &path, const std::string &instead);

/// The entries of a matrix, in the order of its file and counted from 0.
struct coordinate_matrix {
    vertex side = 0;
    std::vector<edge> entries; // row, column
    std::vector<double> values;
};

/// Reads a symmetric matrix of numbers: what read_matrix_market accepts, without general matrices
/// and patterns; a value must fit its type. An entry may be given twice, in either triangle.
coordinate_matrix read_symmetric_matrix(const std::string &path, const std::string &instead);

} // namespace saguaro::pbfs
