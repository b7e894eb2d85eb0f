// SPDX-License-Identifier: MIT
// The header of a cilk_for, and the rules about it.
#pragma once

#include "text/diagnostics.hpp"

#include <clang/AST/Type.h>

#include <cstdint>
#include <optional>
#include <vector>

namespace clang {
class Expr;
class ForStmt;
class Stmt;
class VarDecl;
} // namespace clang

namespace saguaro::cilkc {

class source_text;

// How far the variable may go. `other` is `!=`: up or down as the step's sign says.
enum class loop_limit { below, up_to, above, down_to, other };

struct loop_header {
    const clang::VarDecl *variable;
    bool declares; // the variable is the loop's own
    const clang::Expr *first;
    loop_limit until;
    const clang::Expr *limit;
    clang::QualType compared;          // the type in which the variable and the limit are compared
    const clang::Expr *step;           // null: 1
    bool minus;                        // the step is subtracted
    std::optional<std::int64_t> fixed; // what an iteration adds, if it is a constant
    const clang::Expr *grain;          // null: none given
    const clang::Stmt *body;
};

// The header of a loop, or nothing and the rule that it breaks in `problems`.
std::optional<loop_header> read_header(const source_text &source, const clang::ForStmt &loop,
                                       std::vector<problem> &problems);

} // namespace saguaro::cilkc
