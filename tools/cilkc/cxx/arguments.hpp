// SPDX-License-Identifier: MIT
// Arguments of spawned calls: how each is kept until the child begins, and handed to the callee.
#pragma once

#include "cxx/spawned_call.hpp"

#include <clang/AST/Type.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace clang {
class Expr;
} // namespace clang

namespace saguaro::cilkc {

class workspace;

constexpr std::string_view no_call =
    "cilk_spawn needs a call, an assignment or initialization by one, or a block";

// How a callee takes an argument: as is known of each function that it may be.
struct taking {
    enum { unknown, value, reference } by = unknown;
    clang::QualType type; // of the parameter; null: not known
};

taking as_declared(clang::QualType parameter);

// The parameter with the value category of its argument.
std::string forwarded(const std::string &name);

// What can be evaluated at any time, with the same result.
bool is_constant(const clang::Expr *e);

// What takes a call apart has this, and fills in `into`.
class kept_arguments {
protected:
    kept_arguments(workspace &space, spawned_call &into) : space_(space), into_(into) {}

    // False, with a problem at the expression.
    bool fail(const clang::Expr &e, std::string text);

    // Keeps the expression as a parameter of this type, with a new name; or as this parameter.
    std::string keep(const clang::Expr &e, const std::string &type);
    void keep_as(const clang::Expr &e, std::string parameter);

    // Adds an argument of the call, as text, to the others.
    bool argument(const clang::Expr &e, const taking &how, std::vector<std::string> &to);

    workspace &space_;
    spawned_call &into_;
    unsigned rank_ = 0; // of what is kept next

private:
    std::optional<std::string> known_name(const taking &how) const;
    bool is_braced(span where) const;
};

} // namespace saguaro::cilkc
