// SPDX-License-Identifier: MIT
// Functions and `extern` variables that a function declares in a block: `int half(double);`. What
// is made of a part of the function stands elsewhere, and must declare them again.
#pragma once

#include "parse/source_text.hpp"

#include <string>
#include <vector>

namespace clang {
class Stmt;
class ValueDecl;
} // namespace clang

namespace saguaro::cilkc {

// The functions and variables of this kind that `part` names, but for those that `part` declares.
std::vector<const clang::ValueDecl *> declared_around(const source_text &source,
                                                      const clang::Stmt &part);

// Their declarations as text.
std::string declare_again(const std::vector<const clang::ValueDecl *> &declared);

} // namespace saguaro::cilkc
