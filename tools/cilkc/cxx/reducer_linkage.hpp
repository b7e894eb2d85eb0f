// SPDX-License-Identifier: MIT
// Reducers that several files share: their functions must be known to all of them.
#pragma once

namespace clang {
class FunctionDecl;
class VarDecl;
} // namespace clang

namespace saguaro::cilkc {

class workspace;

// In the translated text the functions of a reducer are a part of its type. Where one of them is
// `static` or in an unnamed namespace, the compiler makes the variable, or the function that takes
// it, local to the file as well, without a word. These report it where another file is to share it.
void check_linkage(workspace &space, const clang::VarDecl &variable);
void check_linkage(workspace &space, const clang::FunctionDecl &function);

} // namespace saguaro::cilkc
