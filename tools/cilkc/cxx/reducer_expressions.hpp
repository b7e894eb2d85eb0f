// SPDX-License-Identifier: MIT
// Which expressions are reducers in the translated text, and which of them stay reducers.
#pragma once

#include <clang/AST/Expr.h>

#include <set>
#include <utility>
#include <vector>

namespace saguaro::cilkc {

// An expression that names a reducer becomes its view, unless a reducer is wanted there. For Clang
// both are of one type; so what is around an expression says so before it is looked at.
class reducer_expressions {
public:
    // Whether the expression is a reducer, or a pointer to one.
    bool refers(const clang::Expr *e) const;
    bool points(const clang::Expr *e) const;

    // `e` initialises something of the type.
    void bind(const clang::Expr *e, clang::QualType to);
    void bind_arguments(const clang::FunctionDecl &callee, const clang::Expr *const *arguments,
                        unsigned count);
    // The same for the arguments of a call, also of one through a pointer.
    void bind_in_call(const clang::CallExpr &call);
    // The same for the members and elements that a list in braces initialises. Appends what
    // initialises reducers, and their types.
    using values = std::vector<std::pair<const clang::Expr *, clang::QualType>>;
    void bind_members(const clang::InitListExpr &list, values &made);
    void bind_returned(const clang::Stmt *body, clang::QualType to);
    // What is assigned to a pointer to a reducer, compared with one, or counted from the address of
    // an element: `&several[1] + 1`, `(&several[0])[1]`.
    void keep_in_pair(const clang::BinaryOperator &pair);
    void keep_in_subscript(const clang::ArraySubscriptExpr &element);
    // `decltype(x)`, but not `decltype((x))`.
    void keep_in(const clang::Expr *e);
    bool is_kept(const clang::Expr &e) const { return kept_.count(&e) != 0; }

    // The reducer in a `__builtin_addressof(x)` that is the address of the first view. Null: it is
    // no such call, or its value is the reducer's address.
    const clang::Expr *first_view_in(const clang::CallExpr &call);

private:
    void keep(const clang::Expr *e);
    // What it points to is a reducer.
    void keep_pointer(const clang::Expr *e);

    std::set<const clang::Expr *> kept_;      // reducers that stay what they are
    std::set<const clang::CallExpr *> bound_; // __builtin_addressof that gives a reducer's address
};

} // namespace saguaro::cilkc
