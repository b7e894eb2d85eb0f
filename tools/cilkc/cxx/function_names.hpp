// SPDX-License-Identifier: MIT
// `__func__` in functions whose statements move into lambdas.
#pragma once

namespace clang {
class FunctionDecl;
} // namespace clang

namespace saguaro::cilkc {

class workspace;

// Writes the function's name for each `__func__` and `__FUNCTION__` in its body: in a lambda these
// would be `operator()`. Comes before the other edits of the body.
void write_function_names(workspace &space, const clang::FunctionDecl &function);

} // namespace saguaro::cilkc
