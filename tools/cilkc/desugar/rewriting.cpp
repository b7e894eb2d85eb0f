// SPDX-License-Identifier: MIT
// The text of a statement with the edits made in it so far.
#include "desugar/rewriting.hpp"

#include <clang/AST/Stmt.h>

namespace saguaro::cilkc {

std::string rewriting::text_of(const clang::Stmt &s) const {
    return edits.render(source.of(s.getSourceRange()));
}

} // namespace saguaro::cilkc
