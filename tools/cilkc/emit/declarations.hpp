// SPDX-License-Identifier: MIT
// Declarations in clones: of variables that are in the frame or in a block, of constants that a
// slow clone must restore, and of variables that a spawn or a call initializes.
#pragma once

#include "emit/clone_text.hpp"

namespace clang {
class DeclStmt;
class ForStmt;
} // namespace clang

namespace saguaro::cilkc {

// Edits the declaration, if it cannot stand in the clone as the user has written it.
void edit_declaration(clone_text &text, const clang::DeclStmt &declaration);

// The same for what a loop declares in its header.
void edit_for(clone_text &text, const clang::ForStmt &loop);

} // namespace saguaro::cilkc
