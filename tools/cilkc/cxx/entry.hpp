// SPDX-License-Identifier: MIT
// How a C++ function that spawns enters the runtime when its caller is no worker.
#pragma once

#include <string>

namespace clang {
class FunctionDecl;
} // namespace clang

namespace saguaro::cilkc {

class workspace;

// Text for the beginning and the end of the body.
struct entry_text {
    std::string begin;
    std::string end;
};

entry_text entry_of(workspace &space, const clang::FunctionDecl &function);

// The same for a lambda, by its operator().
entry_text entry_of_lambda(workspace &space, const clang::FunctionDecl &call, bool has_result_type);

} // namespace saguaro::cilkc
