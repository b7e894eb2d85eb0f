// SPDX-License-Identifier: MIT
// Declarations and types as text.
#pragma once

#include "parse/source_text.hpp"

#include <clang/AST/Type.h>

#include <string>

namespace clang {
class ASTContext;
class Decl;
class NamedDecl;
class TagDecl;
} // namespace clang

namespace saguaro::cilkc {

// The declaration as text, without a semicolon.
std::string printed(const clang::Decl &declaration);

// "struct s; " if the type has an earlier declaration: the types between the two may point to it.
// Else nothing.
std::string announced(const clang::TagDecl &type);

// Renames it in the tree. All declarations of a type have one name.
void rename(clang::NamedDecl &declaration, const std::string &name);

// `name` declared with the type, without a semicolon: "int (*name)(void)". Without qualifiers of
// its own; what a parameter's array or function type means is a pointer. An empty name: the type.
std::string declare(const source_text &source, clang::QualType type, const std::string &name);

// The text of a declaration, with types that are known at file scope.
std::string declared_as(const clang::ASTContext &ast, clang::QualType type,
                        const std::string &name);

} // namespace saguaro::cilkc
