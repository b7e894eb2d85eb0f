// SPDX-License-Identifier: MIT
#include "desugar/rewriting.hpp"

#include <clang/AST/Stmt.h>

namespace saguaro::cilkc {

std::string rewriting::text_of(const clang::Stmt &s) const {
    return edits.render(source.of(s.getSourceRange()));
}

} // namespace saguaro::cilkc
