// SPDX-License-Identifier: MIT
// The text of a cilk_for up to its body, in the place of its header.
#pragma once

#include <string>

namespace clang {
class CXXForRangeStmt;
class ForStmt;
} // namespace clang

namespace saguaro::cilkc {

class variable_uses;
class workspace;

// `cilk_for (...; ...; ...)` whose word stands at `marker`; `begin` is the beginning of its body.
// False: it is refused.
bool write_loop_head(workspace &space, const variable_uses &uses, unsigned marker,
                     const clang::ForStmt &loop, const std::string &begin);

// `cilk_for (T x : range)`
void write_range_head(workspace &space, const variable_uses &uses, unsigned marker,
                      const clang::CXXForRangeStmt &loop, const std::string &begin);

} // namespace saguaro::cilkc
