// SPDX-License-Identifier: MIT
// Looking for a variable's block and assignments.
#include "cxx/changing.hpp"

#include "cxx/workspace.hpp"
#include "parse/syntax.hpp"

#include <clang/AST/DeclCXX.h>
#include <clang/AST/ExprCXX.h>

#include <algorithm>

namespace saguaro::cilkc {

namespace {

using llvm::dyn_cast;

bool declares(const clang::Stmt &s, const clang::VarDecl &variable) {
    const auto *declared = dyn_cast<clang::DeclStmt>(&s);
    return declared != nullptr && std::any_of(declared->decl_begin(), declared->decl_end(),
                                              [&](const clang::Decl *d) { return d == &variable; });
}

// A variable of the function's outermost block lives until its children have ended.
bool is_of_inner_block(const clang::Stmt *body, const clang::VarDecl &variable) {
    return !variable.isStaticLocal() &&
           contains(body, [&](const clang::Stmt &one) { return declares(one, variable); }) &&
           std::none_of(body->child_begin(), body->child_end(), [&](const clang::Stmt *s) {
               return s != nullptr && declares(*s, variable);
           });
}

bool is_assigned(const clang::Stmt *body, const clang::ValueDecl &variable) {
    const auto is_it = [&](const clang::Expr *operand) {
        const auto *used = dyn_cast<clang::DeclRefExpr>(workspace::spelled(operand));
        return used != nullptr && used->getDecl() == &variable;
    };
    return contains(body, [&](const clang::Stmt &one) {
        if (const auto *sign = dyn_cast<clang::UnaryOperator>(&one))
            return sign->isIncrementDecrementOp() && is_it(sign->getSubExpr());
        if (const auto *pair = dyn_cast<clang::BinaryOperator>(&one))
            return pair->isAssignmentOp() && is_it(pair->getLHS());
        const auto *call = dyn_cast<clang::CXXOperatorCallExpr>(&one);
        return call != nullptr &&
               (call->isAssignmentOp() || call->getOperator() == clang::OO_PlusPlus ||
                call->getOperator() == clang::OO_MinusMinus) &&
               is_it(call->getArg(0));
    });
}

} // namespace

bool changes_meanwhile(const clang::Stmt *body, const clang::Expr &e) {
    const auto *name = dyn_cast<clang::DeclRefExpr>(workspace::spelled(&e));
    const clang::ValueDecl *named = name == nullptr ? nullptr : name->getDecl();
    const auto *part = llvm::dyn_cast_or_null<clang::BindingDecl>(named);
    const clang::ValueDecl *whole = part == nullptr ? named : part->getDecomposedDecl();
    const auto *variable = llvm::dyn_cast_or_null<clang::VarDecl>(whole);
    return variable != nullptr && !variable->getType()->isReferenceType() &&
           (is_of_inner_block(body, *variable) || is_assigned(body, *named));
}

} // namespace saguaro::cilkc
