// SPDX-License-Identifier: MIT
// Statements that become functions of their own: no jump may leave them.
#pragma once

#include <string>

namespace clang {
class Stmt;
} // namespace clang

namespace saguaro::cilkc {

class workspace;

// `name`: "the body of a cilk_for". `continues`: `continue` ends it.
void check_closed(workspace &space, const clang::Stmt &body, const std::string &name,
                  bool continues);

} // namespace saguaro::cilkc
