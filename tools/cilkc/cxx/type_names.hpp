// SPDX-License-Identifier: MIT
// Types as they can be named wherever the user's text has something of the same name.
#pragma once

#include <clang/AST/Type.h>

namespace clang {
class ASTContext;
class DeclContext;
} // namespace clang

namespace saguaro::cilkc {

// The type, which depends on no template's parameters, such that it is printed with the leading
// `::` of each name of a namespace, and with `struct` or `enum` where a function or a variable of
// the same scope hides it.
clang::QualType named_from_outermost(const clang::ASTContext &ast, clang::QualType type);

// Whether only a class that is not around `scope` may name the type: it is a private one of it.
bool is_hidden_in(const clang::DeclContext &scope, clang::QualType type);

} // namespace saguaro::cilkc
