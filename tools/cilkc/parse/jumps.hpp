// SPDX-License-Identifier: MIT
// Jumps that leave a statement.
#pragma once

#include "parse/source_text.hpp"

#include <vector>

namespace clang {
class Stmt;
} // namespace clang

namespace saguaro::cilkc {

// The jumps (break, continue, goto) that leave a statement for another place in the function.
std::vector<const clang::Stmt *> jumps_out_of(const source_text &source,
                                              const clang::Stmt &statement);

} // namespace saguaro::cilkc
